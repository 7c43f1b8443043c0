"""Launches that are timed by turns."""
import statistics

import torch


def by_turns(launches, count, flush_bytes):
    """The median of each launch's `count` times between two events, in ms, each launch behind a flush of the L2 cache; two before
    them count for nothing."""
    flush = torch.empty(flush_bytes, dtype=torch.int8, device="cuda")
    times = [[] for _ in launches]
    for i in range(count + 2):
        for launch, taken in zip(launches, times):
            flush.zero_()
            events = [torch.cuda.Event(enable_timing=True) for _ in range(2)]
            events[0].record()
            launch()
            events[1].record()
            if i > 1:
                taken.append(events)
    torch.cuda.synchronize()
    return [statistics.median(a.elapsed_time(b) for a, b in taken) for taken in times]

"""check-wheel.py WHEEL ..: what an installer reads of a wheel is so (PEP 376, 427, 440, 566, 600)."""
import base64
import email.parser
import hashlib
import os
import stat
import sys
import zipfile


def check(path):
    name, version, *tags = os.path.basename(path).removesuffix(".whl").split("-")
    archive = zipfile.ZipFile(path)
    assert archive.testzip() is None, "a file whose digest is wrong"
    names = archive.namelist()
    assert len(names) == len(set(names)) and not any("__pycache__" in n or n.endswith("/") for n in names), names
    info = f"{name}-{version}.dist-info"
    wheel = email.parser.Parser().parsestr(archive.read(f"{info}/WHEEL").decode())
    assert wheel["Tag"] == "-".join(tags), (wheel["Tag"], tags)
    assert wheel["Root-Is-Purelib"] == "false" and wheel["Wheel-Version"] == "1.0"
    data = email.parser.Parser().parsestr(archive.read(f"{info}/METADATA").decode())
    assert data["Name"].replace("-", "_") == name and data["Version"] == version
    assert data["License-File"] and f"{info}/licenses/{data['License-File']}" in names
    assert data["Summary"] and len(data.get_payload()) > 1000, "a description"
    # RECORD has each file with its digest and size, and itself without.
    recorded = {}
    for line in archive.read(f"{info}/RECORD").decode().splitlines():
        file, digest, size = line.rsplit(",", 2)
        assert file not in recorded, file
        recorded[file] = digest, size
    assert set(recorded) == set(names), set(recorded) ^ set(names)
    for file, (digest, size) in recorded.items():
        if file == f"{info}/RECORD":
            assert not digest and not size
            continue
        content = archive.read(file)
        wanted = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
        assert digest == f"sha256={wanted}" and int(size) == len(content), file
    for entry in archive.infolist():
        mode = entry.external_attr >> 16
        assert not mode & (stat.S_IWGRP | stat.S_IWOTH) and mode & stat.S_IRUSR, (entry.filename, oct(mode))
    needs = "; ".join(data.get_all("Requires-Dist", []))
    print(f"{name} {version} {tags[0]} {tags[1]} {tags[2]}: Python {data['Requires-Python']}, needs {needs or 'nothing'}")


for each in sys.argv[1:]:
    check(each)

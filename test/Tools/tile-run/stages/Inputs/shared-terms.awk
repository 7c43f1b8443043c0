# DOUBLE %out = OP %in : TYPE      forty ops, each of the one in front of it and itself
# MIX %out = %in %other : TYPE     forty truths, each of the two in front of it
/^ *DOUBLE / {
  last = $5
  for (i = 0; i < 40; ++i) {
    name = i == 39 ? $2 : "%d" NR "_" i
    print name " = " $4 " " last ", " last " : " $7
    last = name
  }
  next
}
/^ *MIX / {
  last = $4; older = $5
  for (i = 0; i < 40; ++i) {
    name = i == 39 ? $2 : "%m" NR "_" i
    print name " = " (i % 2 ? "arith.andi " : "arith.ori ") last ", " older " : " $7
    older = last; last = name
  }
  next
}
{ print }

//===- MachineOf.c - the machine that a module is compiled for ------------===//
#include "tile/IR.h"
#include <stdio.h>
#include <string.h>

const TileMachine *tileMachineFindChip(MlirStringRef name) {
  const TileMachine *m;
  for (int i = 0; (m = tileMachineGet(i)); ++i)
    if (tileStringIs(name, m->name)) return m;
  return NULL;
}

MlirAttribute tileTargetAttr(MlirContext context, const TileMachine *machine) {
  char text[64];
  snprintf(text, sizeof text, "#nvvm.target<chip = \"%s\">", machine->name);
  return tileParseAttr(context, text);
}

const TileMachine *tileMachineOf(MlirOperation op) {
  for (; !mlirOperationIsNull(op); op = mlirOperationGetParentOperation(op)) {
    MlirAttribute target = tileAttr(op, "tile.target");
    if (mlirAttributeIsNull(target)) continue;
    const TileMachine *machine = tileMachineFindChip(tileTargetAttrGetChip(target));
    if (machine) return machine; // others do not verify
  }
  return tileMachineGetDefault();
}

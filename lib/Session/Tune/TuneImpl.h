//===- TuneImpl.h - what the files of tuning share ------------------------===//
#ifndef TILE_SESSION_TUNE_IMPL_H
#define TILE_SESSION_TUNE_IMPL_H

#include "../ProgramImpl.h"
#include "mlir-c/Diagnostics.h"
#include "tile/Work.h"

//===- Tiles.c ------------------------------------------------------------===//

/// A kernel under a configuration, "" for its defaults.
typedef struct TileView {
  const TileProgramKernel *kernel;
  const char *config;
} TileView;

/// The value of a meta-parameter, or of num_warps and the like; `otherwise` where it has none.
int64_t tileViewGetValue(const TileView *view, MlirStringRef name, int64_t otherwise);
/// The extents of a tile; its number of elements, 0 for another type.
int64_t tileViewCountElements(const TileView *view, MlirType type, int64_t shape[TILE_MAX_RANK]);

/// What a dot multiplies.
typedef struct TileProduct {
  int64_t batch, m, n, k, aBytes, bBytes;
} TileProduct;
/// False where its operands are no matrices.
bool tileViewFindProduct(const TileView *view, MlirOperation dot, TileProduct *product);

//===- Survey.c -----------------------------------------------------------===//

/// The innermost loop around some dots, and what one step of it does.
typedef struct TileSurveyLoop {
  MlirOperation op; ///< null: what stands outside of loops
  double steps;     ///< of a program, the mean; below 0: not known
  int64_t longest;  ///< steps of the program that has most
  double flops, bytes, rowBytes, special, computed;
  double asked;           ///< of the bytes, what a block asks for where a cluster shares copies
  bool isChanged;         ///< its dots have rows and columns in changed roles
  int64_t carried, loose; ///< words of sums that it carries, and of what steps make anew
  int64_t slotBytes, keptBytes;
} TileSurveyLoop;

/// An operand of a dot, which a step loads.
typedef struct TileSurveyOperand {
  double bytes, asked; ///< of it, of all of a program's steps, and what a block asks for of these
  uint64_t arrays;     ///< arguments of the kernel that it is loaded from, a bit each; 0: not known
  int64_t pitch;       ///< bytes that pitches of its boxes are multiples of; 0: none are known
} TileSurveyOperand;

enum { TILE_SURVEY_LOOPS = 8, TILE_SURVEY_OPERANDS = 16 };

/// What a launch with one configuration has to do, as far as the kernel says.
typedef struct TileSurvey {
  const TileProgram *program;
  TileView view; ///< of the kernel with its helpers
  const uint64_t *slots;
  int32_t grid[3];
  TileWork work;
  TileSurveyLoop loops[TILE_SURVEY_LOOPS];
  TileSurveyOperand operands[TILE_SURVEY_OPERANDS];
  int numLoops, numDots, numOperands;
  double steps;         ///< of a program, of all loops
  MlirValue lastA;      ///< of the last dot: another one may have the same
  int64_t elementBytes; ///< of the last dot's A
  int64_t pitch;        ///< bytes that pitches of boxes that are read are multiples of; 0: none are
  int64_t storedPitch;  ///< the same of boxes that are stored
  bool isKnown, mayDivide;
  bool isChained;    ///< a dot's operand is computed of another one's result in the same step
  bool mayBeDivided; ///< as far as the loop goes: the configuration may say so itself
  bool maySplitLast; ///< turns may have a part each of a program, also where blocks share copies
  bool isTold;       ///< the configuration says itself when results leave (num_at_once)
  bool hasBoxes;     ///< its dots read boxes, not what threads load
  bool sharesAcross; ///< operands of a dot follow from one axis of the grid each
  int64_t thinnest;  ///< of its dots' tiles, the most that one has of rows or columns, the fewer
  double words;      ///< of a step's operands that warps read from shared memory, 32 at a time
  int sharers;       ///< blocks of a cluster that share copies, or would
  uint64_t arrays;   ///< arguments of the kernel that dots read, a bit each
  bool isNarrow;     ///< a dot has fewer rows, and fewer columns, than wgmma, and is short
} TileSurvey;

/// Surveys a launch with `slots` and `config`; false where too little is known of it.
bool tileSurvey(const TileProgram *p, const TileProgramKernel *kernel, const char *config,
                const uint64_t *slots, TileSurvey *s);

//===- Sharing.c ----------------------------------------------------------===//

/// Different boxes that the programs of a cluster's `blocks` want of what a dot's operand is loaded
/// from, in each step: from one, which all share, to as many as there are blocks. Adds the arrays.
int tileSurveyCountBoxes(TileSurvey *s, MlirValue operand, int blocks);
/// The kernel's arguments whose arrays an operand is loaded from, a bit each; 0 where that is not
/// known. Unless NULL, `pitch` becomes what pitches of its descriptors are multiples of, bytes.
uint64_t tileSurveyFindArrays(const TileSurvey *s, MlirValue operand, int64_t *pitch);
/// An operand of which a program's steps load so many bytes, and a block asks for so many of these.
void tileSurveyAddOperand(TileSurvey *s, MlirValue operand, double bytes, double asked);
/// Does a dot's operand follow from x of a program alone, and the other from y?
bool tileSurveySharesAcross(const TileSurvey *s, MlirValue a, MlirValue b);

//===- Rows.c -------------------------------------------------------------===//

/// Of a box that is read or stored: what its array's pitches are multiples of. Where a pitch does
/// not follow from the key, nothing is known.
void tileSurveyAddPitches(const TileSurvey *s, MlirValue desc, int64_t *multiple);
/// Fills in where rows begin, and what follows from it.
void tileSurveyFindRows(TileSurvey *s, const TileProgramKernel *kernel);
/// Do pairs of blocks share copies unasked, as rows of what dots read lie off the lines of the L2
/// cache by what a launch tells of them (tileHasStraddlingRows)?
bool tileSurveySharesUnasked(const TileSurvey *s, const TileProgramKernel *kernel);

//===- Pick.c -------------------------------------------------------------===//

/// Blocks that divide a program's loop: `clusters` (num_splits) of `parts` (num_parts). Or turns
/// that divide those of the last round alone: `last` (num_last_splits). Or teams of its block that
/// divide its loop: `teams` (num_teams). Of whole loops with fewer steps than boxes of results
/// these leave `atOnce` (num_at_once), not under the next program's dots.
typedef struct TileDivision {
  int parts, clusters, last, teams;
  bool atOnce;
} TileDivision;

/// The configuration with it, in memory of its own.
char *tileDivisionJoin(const char *config, TileDivision division);

/// A division, and the cycles that the launch may take with it by the model.
typedef struct TileDivided {
  TileDivision division;
  double cycles;
} TileDivided;

enum { TILE_DIVISIONS = 13 };

/// What a launch with `config` may take as it is, which comes first, and with its loop divided: by
/// each number of blocks of a cluster, of one cluster, and of as many as the model puts first; and
/// with the last programs alone divided, so.
/// Where the configuration says itself how, as it is alone. Returns how many there are: 0 where the
/// model knows too little of the kernel or the machine, or there is no room for so many blocks.
int tileProgramDivide(const TileProgram *p, const TileProgramKernel *kernel, const char *config,
                      const uint64_t *slots, TileDivided found[TILE_DIVISIONS]);

//===- TuneSpace.c --------------------------------------------------------===//

/// Fills in a new task for a key: what it holds for, and its candidates, of which those not worth
/// compiling are marked. `slots`: of the launch, by which it is known whose programs are few.
void tileTuneFillTask(TileProgram *p, const TileProgramKernel *kernel, const char *key,
                      const uint64_t *slots, const TileTuneOptions *o, TileTuneTask *task);
/// Checks the candidates and spaces of the options against the kernel.
MlirLogicalResult tileTuneCheckOptions(TileProgram *p, const TileProgramKernel *kernel,
                                       const TileTuneOptions *o);

//===- TuneCompile.c ------------------------------------------------------===//

/// Compiles the task's new candidates for a launch with `slots`, over `grid` (NULL: the kernel's
/// own), and what that binds itself, into the program's cache, on all cores; marks each as compiled
/// or as having no code.
void tileTuneCompile(TileProgram *p, const TileProgramKernel *kernel, const uint64_t *slots,
                     const int32_t *grid, const char *bound, TileTuneTask *task);

/// A handler of MLIR's: keeps the first error in the trial's message that `*(char **)data` points
/// at, and lets nobody else hear of any; NULL there: drops all.
MlirLogicalResult tileTuneKeepMessage(MlirDiagnostic diagnostic, void *data);

//===- Race.c -------------------------------------------------------------===//

/// The trial is out, for this reason, which is emptied.
void tileTrialFail(TileTrial *trial, TileTrialState state, TileError *error);
/// There was no time for it.
void tileTrialSkip(TileTrial *trial);

/// Are results right, as far as those of the reference are? Both on the host; false with a message.
bool tileTuneCompare(TileArray *got, TileArray *want, TileError *error);

/// What a race needs of those who run it.
typedef struct TileRace {
  TileDevice *device; ///< NULL: the CPU
  TileTuneTask *task;
  /// Gives one launch of a trial away.
  bool (*launch)(void *context, int trial, TileError *error);
  /// A trial begins to run, or has ended.
  void (*watch)(void *context, bool runs);
  void *context;
  /// When to end (tileClockGetSeconds); 0: when all is known.
  double deadline;
  /// Found: one of the trials has a time; the device is lost to a fault.
  bool timed, lost;
} TileRace;

/// Times the trials that are TILE_TRIAL_TIMED against each other; false where there is no winner.
bool tileTuneRace(TileRace *race);

#endif // TILE_SESSION_TUNE_IMPL_H

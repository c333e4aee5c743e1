// SPDX-License-Identifier: Apache-2.0
#include "apps/opcensus/census_outcome.h"

namespace opcensus::cli {

int judge_census(const Census& census, bool strict, Streams& streams) {
  int code = kExitOk;
  for (const Check& check : census.checks) {
    if (!check.passed) {
      streams.err << "opcensus: error: conservation check failed: " << check.name << '\n';
      code = kExitFailed;
    }
  }
  if (code != kExitOk || !strict) {
    return code;
  }
  for (const CensusDiagnostic& diagnostic : census.diagnostics) {
    if (diagnostic.severity != "info") {
      streams.err << "opcensus: strict: " << diagnostic.name << " (" << diagnostic.times << "×)\n";
      code = kExitStrict;
    }
  }
  return code;
}

}  // namespace opcensus::cli

// SPDX-License-Identifier: Apache-2.0
//
// What summary.json and `report --format json` have in common.
#pragma once

#include "src/analyze/ledger.h"
#include "src/census/census.h"
#include "src/report/json_writer.h"

namespace opcensus {

void write_inputs(JsonWriter& json, const Census& census);
void write_ranks(JsonWriter& json, const Census& census);
void write_devices(JsonWriter& json, const Census& census);
void write_phases(JsonWriter& json, const Census& census);
void write_ledger(JsonWriter& json, const TierLedger& ledger);
void write_unattributed_reasons(JsonWriter& json, const TierLedger& ledger);
void write_coverage(JsonWriter& json, const Census& census);
void write_graphs(JsonWriter& json, const Census& census);
void write_conservation(JsonWriter& json, const Census& census);
void write_diagnostics(JsonWriter& json, const Census& census);

}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "src/analyze/ledger.h"
#include "src/report/paragraph.h"
#include "src/report/table_text.h"
#include "src/report/terminal_sections.h"
#include "src/report/units.h"

namespace opcensus {
namespace {

/// Whether the rows of a tier have no framework operator: the profiler itself names them.
bool is_named_by_device(const Census& census, Tier tier) {
  return std::all_of(
      census.device_times.begin(), census.device_times.end(), [tier](const DeviceTime& row) {
        return row.tier != tier || (row.recorded != kNoIndex && row.recorded == row.signature);
      });
}

std::string_view explain_tier(const Census& census, Tier tier) {
  if (tier == Tier::Direct && is_named_by_device(census, tier)) {
    return "named by the profiler itself: the device's operators";
  }
  switch (tier) {
    case Tier::Direct:
      return "launched by the operator that encloses the launch";
    case Tier::Exact:
      return "graph replays, by node identity";
    case Tier::Aligned:
      return "graph replays, every node fits the captured graph";
    case Tier::Unattributed:
      break;
  }
  return "";
}

std::vector<TextColumn> ledger_columns(bool has_notes) {
  TextColumn right;
  right.align_right = true;
  TextColumn events = right;
  events.title = "events";
  TextColumn time = right;
  time.title = "device time";
  TextColumn note;
  note.style = TextStyle::Dim;
  std::vector<TextColumn> columns{TextColumn{}, events, right, time, right};
  if (has_notes) {
    columns.push_back(note);
  }
  return columns;
}

/// Rows that the eye needs: tiers that occur, and always what is missing.
bool is_shown(const TierLedger& ledger, Tier tier) {
  return tier == Tier::Unattributed || ledger.of(tier).events > 0;
}

void add_tier_rows(TextTable& table,
                   const Census& census,
                   const TierLedger& ledger,
                   Tier tier,
                   const TimeScale& scale) {
  const EventSum& sum = ledger.of(tier);
  const bool is_missing = tier == Tier::Unattributed && sum.events > 0;
  table.add_row({std::string(tier_name(tier)),
                 format_count(sum.events),
                 format_share(sum.events, ledger.total.events),
                 scale.text(sum.time),
                 format_share(sum.time, ledger.total.time),
                 std::string(explain_tier(census, tier))},
                is_missing ? TextStyle::Warning : TextStyle::Plain);
  for (const ReasonSum& row : ledger.reasons) {
    if (row.tier == tier && row.reason != Reason::None) {
      table.add_row({fmt::format("  {}", reason_name(row.reason)),
                     format_count(row.sum.events),
                     format_share(row.sum.events, ledger.total.events),
                     scale.text(row.sum.time),
                     format_share(row.sum.time, ledger.total.time),
                     ""},
                    TextStyle::Dim);
    }
  }
}

/// The independent count, in one sentence. It does not know phases, so warm-up is in it.
std::string describe_raw_count(const Census& census,
                               const TierLedger& runtime,
                               const ReportOptions& options) {
  const EventSum all = compute_ledger(census, kEveryPhase).total;
  const EventSum raw = sum_raw_counts(census);
  const std::string counted =
      fmt::format("{} events, {}", format_count(raw.events), format_time(raw.time));
  const bool has_warm_up = !(all == runtime.total);
  if (raw == all) {
    const std::string text =
        has_warm_up ? fmt::format("With warm-up {}: equal to an independent count.", counted)
                    : std::string("Equal to an independent count of the files.");
    return render_paragraph(text, 2, 0, TextStyle::Dim, options);
  }
  return render_paragraph(
      fmt::format("An independent count of the files disagrees: {}; the ledger has{} {} and {}.",
                  counted,
                  has_warm_up ? " with warm-up" : "",
                  format_count(all.events),
                  format_time(all.time)),
      2,
      0,
      TextStyle::Failure,
      options);
}

}  // namespace

std::string render_ledger_section(const Census& census, const ReportOptions& options) {
  const TierLedger ledger = compute_ledger(census, kRuntimePhases);
  std::string out =
      styled("Ledger", TextStyle::Bold, options.color) + " · runtime, eager + replay\n";
  constexpr std::size_t kNotesFrom = 118;  // columns where the longest note still fits
  const bool has_notes = options.width == 0 || options.width >= kNotesFrom;
  TextTable table(ledger_columns(has_notes));
  constexpr int kDecimals = 3;  // so that the rows visibly add up to the total
  const TimeScale scale(ledger.total.time, 1, kDecimals);
  for (const Tier tier : kTiers) {
    if (is_shown(ledger, tier)) {
      add_tier_rows(table, census, ledger, tier, scale);
    }
  }
  table.add_row({"total", format_count(ledger.total.events), "", scale.text(ledger.total.time)},
                TextStyle::Bold);
  out += table.render(options.width, 2, options.color);
  return out + describe_raw_count(census, ledger, options);
}

}  // namespace opcensus

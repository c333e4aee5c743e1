// SPDX-License-Identifier: Apache-2.0
#include "src/import/ascend/profile_info.h"

#include <string_view>

#include <simdjson.h>

#include "src/base/whole_number.h"
#include "src/import/ascend/profile_files.h"
#include "src/io/byte_source.h"

namespace opcensus::import::ascend {
namespace {

namespace dom = simdjson::dom;

std::string read_whole(const std::string& path, std::size_t max_bytes) {
  constexpr std::size_t kStep = std::size_t{1} << 16;
  std::string content;
  auto source = open_bytes(path);
  while (source && content.size() < max_bytes) {
    const std::size_t before = content.size();
    content.resize(before + kStep);
    const auto count = (*source)->read({content.data() + before, kStep});
    content.resize(before + (count ? *count : 0));
    if (content.size() == before) {
      break;
    }
  }
  return content;
}

/// A value as text: strings as they are, true and false, integers.
std::string text_at(const dom::element& root, std::string_view pointer) {
  dom::element value;
  if (root.at_pointer(pointer).get(value) != simdjson::SUCCESS) {
    return {};
  }
  std::string_view text;
  if (value.get_string().get(text) == simdjson::SUCCESS) {
    return std::string(text);
  }
  std::int64_t number = 0;
  if (value.get_int64().get(number) == simdjson::SUCCESS) {
    return std::to_string(number);
  }
  bool flag = false;
  if (value.get_bool().get(flag) == simdjson::SUCCESS) {
    return flag ? "true" : "false";
  }
  return {};
}

std::optional<std::int64_t> number_of(std::string_view text) {
  const auto value = parse_whole<std::int64_t>(text);
  return value && *value >= 0 ? value : std::nullopt;
}

/// "Level1" -> "level 1", "Level_none" -> "level none".
std::string level_text(std::string_view level) {
  constexpr std::string_view kWord = "Level";
  if (!level.starts_with(kWord)) {
    return std::string(level);
  }
  level.remove_prefix(level.starts_with("Level_") ? kWord.size() + 1 : kWord.size());
  return "level " + std::string(level);
}

void take_profiler_info(const dom::element& root, ProfileInfo& info) {
  const std::string level = text_at(root, "/config/experimental_config/_profiler_level");
  info.level = level.empty() ? std::string() : level_text(level);
  const std::string shapes = text_at(root, "/config/common_config/record_shapes");
  if (!shapes.empty()) {
    info.record_shapes = shapes == "true";
  }
  info.rank = number_of(text_at(root, "/rank_id"));
  for (const auto& [name, pointer] : {
           std::pair("profiler_level", "/config/experimental_config/_profiler_level"),
           std::pair("aic_metrics", "/config/experimental_config/_aic_metrics"),
           std::pair("torch_npu_version", "/torch_npu_version"),
           std::pair("cann_version", "/cann_version"),
       }) {
    const std::string value = text_at(root, pointer);
    if (!value.empty()) {
      info.properties.push_back({name, value});
    }
  }
}

void take_metadata(const dom::element& root, ProfileInfo& info) {
  info.world_size = number_of(text_at(root, "/distributed_args/world_size"));
  if (!info.rank) {
    info.rank = number_of(text_at(root, "/distributed_args/rank"));
  }
  dom::object groups;
  if (info.world_size || root.at_pointer("/parallel_group_info").get(groups) != simdjson::SUCCESS) {
    return;
  }
  for (const auto& [key, group] : groups) {
    dom::array ranks;
    if (text_at(group, "/group_name") == "default_group" &&
        group.at_pointer("/global_ranks").get(ranks) == simdjson::SUCCESS) {
      info.world_size = static_cast<std::int64_t>(ranks.size());
    }
  }
}

}  // namespace

ProfileInfo read_profile_info(const std::string& profiler_info,
                              const std::string& metadata,
                              std::size_t max_bytes) {
  ProfileInfo info;
  dom::parser parser;
  dom::element root;
  if (!profiler_info.empty()) {
    if (parser.parse(read_whole(profiler_info, max_bytes)).get(root) == simdjson::SUCCESS) {
      take_profiler_info(root, info);
    }
    info.rank = info.rank ? info.rank : rank_of_file_name(profiler_info);
  }
  if (!metadata.empty() &&
      parser.parse(read_whole(metadata, max_bytes)).get(root) == simdjson::SUCCESS) {
    take_metadata(root, info);
  }
  return info;
}

std::optional<std::int64_t> rank_of_file_name(std::string_view path) {
  constexpr std::size_t kMostDigits = 6;  // more are a time
  std::string_view name = last_part(path);
  name = name.substr(0, name.rfind('.'));
  const std::size_t bar = name.rfind('_');
  const std::string_view digits =
      bar == std::string_view::npos ? std::string_view() : name.substr(bar + 1);
  return digits.size() > kMostDigits ? std::nullopt : number_of(digits);
}

}  // namespace opcensus::import::ascend

// SPDX-License-Identifier: Apache-2.0
//
// The text of schema/census.sql, compiled in (see CMakeLists.txt).
#pragma once

#include <string_view>

namespace opcensus {

extern const std::string_view kCensusSchemaSql;

}  // namespace opcensus

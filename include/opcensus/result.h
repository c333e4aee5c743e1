// SPDX-License-Identifier: Apache-2.0
//
// Result<T>: a value, or an Error that says what failed, where, and the way out.
//
// Shaped like std::expected (C++23), which clang 14 does not see; it can become an alias later.
// Errors are for inputs that cannot be used at all. A bad record inside a usable input is not an
// Error but a counted Issue (src/base/diagnostics.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace opcensus {

/// Closed list; docs/errors.md explains each one.
enum class ErrorCode : std::uint8_t {
  NotFound,           ///< the path does not exist
  Unreadable,         ///< it exists, but cannot be opened or read
  Empty,              ///< zero bytes, or white space only
  NotATrace,          ///< readable, but no format we know
  UnsupportedFormat,  ///< a format we know of and do not read (hint says what to do)
  Damaged,            ///< nothing usable before the damage
  LimitExceeded,      ///< an explicit limit (nesting, string length, memory) was reached
  NothingToReport,    ///< inputs were read, but hold nothing that the request is about
  Conflict,           ///< inputs that must not be combined (merged file and its parts, two schemas)
  Unwritable,         ///< an output cannot be created or replaced
  BadCensus,    ///< a .census file that is not ours, is damaged, or has another schema version
  BadArgument,  ///< an option value outside its range
};

struct Error {
  ErrorCode code = ErrorCode::Unreadable;
  std::string message;                       ///< one sentence, no file name, no trailing stop
  std::string file;                          ///< path as the user gave it; may be empty
  std::optional<std::uint64_t> byte_offset;  ///< into the decompressed content
  std::string hint;                          ///< the way out; may be empty

  [[nodiscard]] Error in_file(std::string path) && {
    if (file.empty()) {
      file = std::move(path);
    }
    return std::move(*this);
  }
};

template <class T>
class [[nodiscard]] Result {
 public:
  using value_type = T;

  // Implicit on purpose: `return value;` and `return Error{...};` are the whole point.
  // NOLINTNEXTLINE(google-explicit-constructor)
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}

  // NOLINTNEXTLINE(google-explicit-constructor)
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  [[nodiscard]] bool has_value() const noexcept { return state_.index() == 0; }

  explicit operator bool() const noexcept { return has_value(); }

  [[nodiscard]] T& value() & { return std::get<0>(state_); }

  [[nodiscard]] const T& value() const& { return std::get<0>(state_); }

  [[nodiscard]] T&& value() && { return std::get<0>(std::move(state_)); }

  [[nodiscard]] const Error& error() const& { return std::get<1>(state_); }

  [[nodiscard]] Error&& error() && { return std::get<1>(std::move(state_)); }

  T& operator*() & { return value(); }

  const T& operator*() const& { return value(); }

  T* operator->() { return &value(); }

  const T* operator->() const { return &value(); }

 private:
  std::variant<T, Error> state_;
};

/// Success without a value.
struct Done {};

using Status = Result<Done>;

}  // namespace opcensus

#define OPCENSUS_CONCAT_INNER(a, b) a##b
#define OPCENSUS_CONCAT(a, b) OPCENSUS_CONCAT_INNER(a, b)

/// `OPCENSUS_TRY(auto x, f());` binds the value of f(), or returns its Error from this function.
#define OPCENSUS_TRY(declaration, expression)                                              \
  auto OPCENSUS_CONCAT(opcensus_try_, __LINE__) = (expression);                            \
  if (!OPCENSUS_CONCAT(opcensus_try_, __LINE__).has_value()) {                             \
    return std::move(OPCENSUS_CONCAT(opcensus_try_, __LINE__)).error();                    \
  }                                                                                        \
  /* NOLINTNEXTLINE(bugprone-macro-parentheses): a declaration cannot be in parentheses */ \
  declaration = std::move(OPCENSUS_CONCAT(opcensus_try_, __LINE__)).value()

/// The same for a Status, or where the value is not wanted.
#define OPCENSUS_CHECK_OK(expression)            \
  do {                                           \
    auto opcensus_status = (expression);         \
    if (!opcensus_status.has_value()) {          \
      return std::move(opcensus_status).error(); \
    }                                            \
  } while (false)

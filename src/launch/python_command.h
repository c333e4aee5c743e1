// SPDX-License-Identifier: Apache-2.0
//
// Which Python a command runs on, so that its torch can be found without running the command.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace opcensus {

/// "python", "python3", "/opt/venv/bin/python3.12"; not "ipython-config".
[[nodiscard]] bool is_python(std::string_view program);

/// The interpreter that a script's beginning names, if it is a Python: a path, or a name to be
/// sought in PATH. Knows `#!/usr/bin/env [-S] python3` and the shell detour that pip writes where
/// the path is too long for a shebang line.
[[nodiscard]] std::optional<std::string> python_of_script(std::string_view beginning);

/// A path as it is; a name from the folders of `path` (as in $PATH). Executable files only.
[[nodiscard]] std::optional<std::string> find_program(const std::string& name,
                                                      std::string_view path);

/// The Python of the command's first word; else of the first word that is a Python (env, timeout
/// and numactl come before it); else python3, then python, in `path`.
[[nodiscard]] std::optional<std::string> python_of_command(const std::vector<std::string>& command,
                                                           std::string_view path);

}  // namespace opcensus

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks a produced summary.json against schema/summary.schema.json.

    check_summary.py OPCENSUS SCHEMA PATH …

With the jsonschema package where it is installed, and always with the small validator below,
which knows the keywords that the schema uses and refuses to ignore others.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
NOTES = {"$schema", "title", "description", "$defs"}


def is_of_type(value, name: str) -> bool:
    if name in ("integer", "number"):
        allowed = (int,) if name == "integer" else (int, float)
        return isinstance(value, allowed) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


def check_object(value: dict, schema: dict, root: dict, place: str) -> list:
    errors = [f"{place}: {key} is missing" for key in schema.get("required", []) if key not in value]
    properties = schema.get("properties", {})
    for key, part in value.items():
        rule = properties.get(key, schema.get("additionalProperties", True))
        if rule is False:
            errors.append(f"{place}: {key} is not in the schema")
        elif isinstance(rule, dict):
            errors += check(part, rule, root, f"{place}/{key}")
    return errors


def check(value, schema: dict, root: dict, place: str = "") -> list:
    known = NOTES | {"$ref", "type", "const", "enum", "minimum", "required", "properties",
                     "additionalProperties", "items", "uniqueItems"}
    errors = [f"the validator does not know the keyword {key}" for key in schema if key not in known]
    if "$ref" in schema:
        errors += check(value, root["$defs"][schema["$ref"].removeprefix("#/$defs/")], root, place)
    if "type" in schema:
        names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        if not any(is_of_type(value, name) for name in names):
            return errors + [f"{place}: {value!r} is not {' or '.join(names)}"]
    if "const" in schema and value != schema["const"]:
        errors.append(f"{place}: {value!r} is not {schema['const']!r}")
    if "enum" in schema and value not in schema["enum"]:
        errors.append(f"{place}: {value!r} is not one of {schema['enum']}")
    if "minimum" in schema and value is not None and value < schema["minimum"]:
        errors.append(f"{place}: {value!r} is less than {schema['minimum']}")
    if isinstance(value, dict):
        errors += check_object(value, schema, root, place)
    if isinstance(value, list):
        for number, item in enumerate(value):
            errors += check(item, schema.get("items", {}), root, f"{place}/{number}")
        if schema.get("uniqueItems") and len({json.dumps(item) for item in value}) != len(value):
            errors.append(f"{place}: an item stands there twice")
    return errors


def main() -> int:
    opcensus, schema_path, *paths = sys.argv[1:]
    schema = json.loads(pathlib.Path(schema_path).read_text("utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([opcensus, "report", *paths, "--out", folder], check=True, stdout=subprocess.DEVNULL)
        summary = json.loads((pathlib.Path(folder) / "summary.json").read_text("utf-8"))
    errors = check(summary, schema, schema)
    try:
        import jsonschema
    except ImportError:
        print("jsonschema is not installed: checked with the small validator only")
    else:
        validator = jsonschema.Draft202012Validator(schema)
        errors += ["/".join(map(str, error.absolute_path)) + ": " + error.message
                   for error in validator.iter_errors(summary)]
    broken = json.loads(json.dumps(summary))  # the validators must be able to refuse
    broken["ledger"]["device_events"]["total"] = "many"
    if not check(broken, schema, schema):
        errors.append("a summary with a text for a count is accepted")
    print("\n".join(errors) or "summary.json is as the schema says")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())

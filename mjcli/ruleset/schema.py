"""The JSON Schema of ruleset files, for editors: made from the same shapes by which files are read."""

from __future__ import annotations

from typing import Any, Final

from mjcli.ruleset.layers import BY_KEY
from mjcli.ruleset.model import FILE
from mjcli.ruleset.shapes import Choice, Field, ListOf, MapOf, Number, Record, Shape, Word, Written

__all__ = ["json_schema"]

DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"

Schema = dict[str, Any]


def json_schema() -> Schema:
    """Return the schema of a ruleset file, draft 2020-12, as plain values.

    It says of a file what can be said without knowing the files that it extends, nor what its conditions mean; what it
    refuses is refused when the file is read. A file that extends another need not have all keys.

    >>> schema = json_schema()
    >>> schema["properties"]["version"]["description"], schema["required"]
    ('a number that grows when an answer changes', ['id', 'version'])

    Source: JSON Schema, draft 2020-12. A scalar is what YAML 1.2 makes of it: plain decimals may be numbers.
    """
    whole = _schema(FILE)
    always = ["id", "version"]
    rest = {"required": [key for key in whole["required"] if key not in always], "properties": _freed(whole)}
    return {
        "$schema": DRAFT,
        "title": "A ruleset of mjcli",
        **whole,
        "required": always,
        "if": {"not": {"required": ["extends"]}},
        "then": rest,
    }


def _freed(whole: Schema) -> Schema:
    """Take out the keys that must be there in what a layer adds to key by key, and return them apart."""
    found: Schema = {}
    for key in BY_KEY:
        said = whole["properties"][key]
        if "required" in said:
            found[key] = {"required": said.pop("required")}
    option = whole["properties"]["options"]["additionalProperties"]
    found["options"] = {"additionalProperties": {"required": option.pop("required")}}
    return found


def _schema(shape: Shape) -> Schema:
    """Return the schema of one shape."""
    match shape:
        case Written():
            return {"type": ["string", "number", "boolean"], "pattern": r"\S"}
        case Word():
            return _word(shape)
        case Number():
            bounds = {"minimum": shape.least, "maximum": shape.most}
            return {"type": ["integer", "string"], **bounds, "pattern": "^(0|[1-9][0-9]*)$"}
        case Choice():
            return {"enum": list(shape.words)}
        case ListOf():
            several = {"type": "array", "items": _schema(shape.of)}
            return {"anyOf": [several, _schema(shape.of)]} if shape.lone else several
        case MapOf():
            return _mapping(shape)
        case Record():
            return {
                "type": "object",
                "properties": {key: _field(field) for key, field in shape.fields.items()},
                "required": [key for key, field in shape.fields.items() if field.required],
                "additionalProperties": False,
            }
    raise TypeError(f"no schema for {shape!r}")


def _field(field: Field) -> Schema:
    return {"description": field.doc, **_schema(field.of)}


def _word(word: Word) -> Schema:
    """Return the schema of a text of a certain form, which may look like a number, a truth or nothing in YAML."""
    if word.known:
        return {"enum": list(word.known)}
    seen_as = {"number": "7", "boolean": "true", "null": ""}
    types = ["string", *(name for name, text in seen_as.items() if word.fits(text))]
    return {"type": types, "pattern": f"^(?:{word.form})$" if word.form else r"\S"}


def _mapping(mapping: MapOf) -> Schema:
    """Return the schema of a mapping; where its keys are known, an editor can offer them."""
    of = _schema(mapping.of)
    if mapping.key.known:
        return {"type": "object", "properties": dict.fromkeys(mapping.key.known, of), "additionalProperties": False}
    return {"type": "object", "propertyNames": {"pattern": f"^(?:{mapping.key.form})$"}, "additionalProperties": of}

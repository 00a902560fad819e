"""Values of the published files."""

from encoding import require


def in_bytes(value):
    """The same value with byte strings in place of hex."""
    if isinstance(value, dict):
        return {name: in_bytes(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [in_bytes(inner) for inner in value]
    is_hex = isinstance(value, str) and len(value) % 2 == 0 and all(digit in "0123456789abcdef" for digit in value)
    return bytes.fromhex(value) if is_hex else value


def expect(value, expected, what):
    require(value == expected, f"{what} is another one")

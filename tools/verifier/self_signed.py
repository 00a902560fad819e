"""Section "Certificates": the profile of certificates that members sign themselves."""

from datetime import datetime, timezone

import certificates
import der
from encoding import Invalid, require
from primitives import verify

EXTENSIONS = bytes.fromhex("301e300c0603551d130101ff04023000300e0603551d0f0101ff040403020780")
SERIAL_BYTES = 16


def _time(milliseconds):
    read = datetime.fromtimestamp(milliseconds // 1000, timezone.utc)
    form, tag = ("%y%m%d%H%M%SZ", 0x17) if read.year < 2050 else ("%Y%m%d%H%M%SZ", 0x18)
    return der.encode(tag, read.strftime(form).encode())


def _profile(serial, name, not_before, not_after, key):
    """The signed part of a certificate."""
    attribute = der.encode(der.SEQUENCE, certificates.COMMON_NAME, der.encode(0x0C, name.encode()))
    subject = der.encode(der.SEQUENCE, der.encode(der.SET, attribute))
    version = der.encode(0xA0, der.encode(der.INTEGER, b"\2"))
    head = version + der.encode(der.INTEGER, serial) + certificates.ED25519 + subject
    validity = der.encode(der.SEQUENCE, _time(not_before), _time(not_after))
    public = der.encode(der.SEQUENCE, certificates.ED25519, der.encode(der.BIT_STRING, b"\0" + key))
    return der.encode(der.SEQUENCE, head, validity, subject, public, der.encode(0xA3, EXTENSIONS))


def read_self_signed(data):
    """The certificate, its name and its key. Does not check the time."""
    try:
        read = certificates.parse(data)
        serial, (name,) = der.only_value(read.signed).parts()[1].content, read.names(certificates.COMMON_NAME)
        key = certificates.ed25519_key(read)
        is_serial = len(serial) == SERIAL_BYTES and 0 < serial[0] < 0x80
        require(is_serial and key is not None, "a certificate has another serial number or key")
        expected = _profile(serial, name, read.not_before, read.not_after, key)
        require(read.signed == expected and read.algorithm.whole == certificates.ED25519, "a certificate has another form")
    except (certificates.Refused, ValueError):
        raise Invalid("a certificate is not of the profile") from None
    require(certificates.is_valid_name(name) and read.not_before < read.not_after, "a certificate has no valid name or time")
    verify(key, read.signature, read.signed, "a certificate")
    return read, name, key

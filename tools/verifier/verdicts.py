"""Vectors with a verdict: certificates, archives, signatures and Diffie-Hellman at the edges."""

import archive
import certificates
from encoding import Invalid
from primitives import diffie_hellman, is_strict, verify
from self_signed import read_self_signed
from values import expect, in_bytes


def verdict_of_certificate(vector):
    given, kind = in_bytes(vector), vector["as"]
    try:
        if kind == "self-signed":
            certificates.check_time(read_self_signed(given["certificate"])[0], given["atMs"])
        else:
            root = certificates.read_authority(given["authority"] or given["certificate"])
            if kind == "issued":
                certificates.read_issued(given["certificate"], root)
            certificates.check_time(root, given["atMs"])
            certificates.check_time(certificates.parse(given["certificate"]), given["atMs"])
    except certificates.Refused as refused:
        return "refused" if kind == "self-signed" else str(refused)
    except Invalid:
        return "refused"
    return "accepted"


def check_certificate(vector):
    expect(verdict_of_certificate(vector), vector["verdict"], f"the verdict about {vector['name']}")


def check_archive(vector):
    try:
        fault, said = None, archive.verified(bytes.fromhex(vector["archive"]))
    except archive.Fault as error:
        fault, said = dict(zip(("part", "number"), error.args)), None
    expect(fault, vector["fault"], f"the fault of {vector['name']}")
    expect(said, vector["evidence"], f"what {vector['name']} says")


def check_ed25519(vector):
    given = in_bytes(vector)
    strict = is_strict(given["publicKey"], given["signature"])
    expect(strict, vector["strict"], f"the strictness of {vector['name']}")
    try:
        verify(given["publicKey"], given["signature"], given["message"], "it")
        verdict = True
    except Invalid:
        verdict = False
    expect(verdict, vector["valid"], f"the verdict about {vector['name']}")


def check_x25519(vector):
    given = in_bytes(vector)
    try:
        shared = diffie_hellman(given["secret"], given["publicKey"])
    except ValueError:
        shared = None
    expect(shared, given["shared"], f"the result for {vector['name']}")

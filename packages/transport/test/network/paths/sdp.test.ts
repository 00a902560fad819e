import { describe, expect, test } from "vitest"
import { sdpFingerprint } from "../../../src/network/path/sdp.ts"

const hex = "0123456789abcdef".repeat(4)
const colons = hex.toUpperCase().match(/../g)!.join(":")
const line = `a=fingerprint:sha-256 ${colons}`
const sdp = (...lines: string[]) => ["v=0", "s=-", ...lines, "a=mid:0", ""].join("\r\n")

describe("the fingerprint of a description", () => {
  test("is found once or several times, as long as it is one", () => {
    expect(sdpFingerprint(sdp(line))).toEqual({ ok: true, fingerprint: hex })
    expect(sdpFingerprint(sdp(line, "m=application 9", line.toLowerCase().replace("a=", "a=")))).toEqual({
      ok: true,
      fingerprint: hex,
    })
  })

  const other = line.replace("01", "02")
  test.each([
    ["none", sdp(), "no-fingerprint"],
    ["two", sdp(line, other), "two-fingerprints"],
    ["another hash", sdp(`a=fingerprint:sha-1 ${colons}`), "not-sha-256"],
    ["SHA-256 beside another hash", sdp(line, `a=fingerprint:sha-512 ${colons}${colons}`), "not-sha-256"],
    ["too short a value", sdp(line.slice(0, -3)), "not-sha-256"],
    ["spelling that a lax parser may take", sdp(line, `A=Fingerprint: sha-256 ${colons}`), "not-sha-256"],
    ["spaces before it", sdp(line, ` ${other}`), "not-sha-256"],
    ["only carriage returns between two", sdp(line).replaceAll("\r\n", "\r") + `\r${other}`, "two-fingerprints"],
    ["a description without end", sdp(line) + "a".repeat(20_000), "too-long"],
  ])("is refused with %s", (_, text, reason) => {
    expect(sdpFingerprint(text)).toEqual({ ok: false, reason })
  })
})

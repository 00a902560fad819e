import { describe, expect, test } from "vitest"

import {
  deriveInvitationKeys,
  formatInvitation,
  type Invitation,
  parseInvitation,
} from "../../src/conference/invitation.ts"
import { KeymootError } from "../../src/api/index.ts"

const invitation: Invitation = {
  server: "https://meet.example",
  conferenceId: "2d8d2c5181b8a43e85055e9a41f2c575",
  secret: Uint8Array.from({ length: 16 }, (_, i) => 255 - i),
  descriptorHash: Uint8Array.from({ length: 32 }, (_, i) => 7 * i),
  roomKey: null,
}
const link = formatInvitation(invitation)
const [secret, hash] = link.split("#")[1]!.split(".") as [string, string]
const path = "https://meet.example/c/2d8d2c5181b8a43e85055e9a41f2c575"

function failureOf(text: string): KeymootError {
  try {
    parseInvitation(text)
  } catch (error) {
    if (error instanceof KeymootError) return error
    throw error
  }
  throw new Error(`was accepted: ${text}`)
}

describe("a link", () => {
  test("gives back what was put in when a messenger has added to it", () => {
    expect(link).toBe(`${path}#__79_Pv6-fj39vX08_Lx8A.AAcOFRwjKjE4P0ZNVFtiaXB3foWMk5qhqK-2vcTL0tk`)
    expect(parseInvitation(link)).toEqual(invitation)
    expect(parseInvitation(` ${link}\n`)).toEqual(invitation)
    expect(parseInvitation(link.replace("#", "?fbclid=1#"))).toEqual(invitation)
    const local = { ...invitation, server: "http://localhost:8080" }
    expect(parseInvitation(formatInvitation(local))).toEqual(local)
  })

  test.each([
    ["nothing", "", /not a link/],
    ["words", "meet me at eight", /not a link/],
    ["no scheme", link.slice("https://".length), /not a link|begins with https/],
    ["another scheme", link.replace("https:", "javascript:"), /begins with https/],
    ["a password in it", link.replace("meet.", "ada:secret@meet."), /begins with https/],
    ["no path", `https://meet.example/#${secret}.${hash}`, /does not lead to a conference/],
    ["another path", link.replace("/c/", "/d/"), /does not lead to a conference/],
    ["a path below", link.replace("#", "/x#"), /does not lead to a conference/],
    ["a short id", link.replace("/c/2d", "/c/"), /does not lead to a conference/],
    ["an id in capitals", link.replace("2d8d", "2D8D"), /does not lead to a conference/],
    ["no fragment", path, /behind # is missing/],
    ["an empty fragment", `${path}#`, /behind # is missing/],
    ["no hash", `${path}#${secret}`, /damaged/],
    ["no secret", `${path}#.${hash}`, /damaged/],
    ["a third part", `${link}.${secret}`, /damaged/],
    ["a short secret", `${path}#${secret.slice(1)}.${hash}`, /damaged/],
    ["a cut hash", link.slice(0, -1), /damaged/],
    ["a full stop behind", `${link}.`, /damaged/],
    ["padding", `${path}#${secret}==.${hash}`, /damaged/],
    ["the other base64", link.replace("__79", "//79"), /damaged/],
    ["an escaped letter", link.replace("__79", "%5F_79"), /damaged/],
    ["bits that say nothing", `${path}#${secret.slice(0, -1)}B.${hash}`, /damaged/],
    ["the id of another conference", link.replace("/c/2d", "/c/3d"), /do not belong together/],
    ["the hash of another descriptor", link.replace(".AAcO", ".AAcP"), /do not belong together/],
    ["no end", link + "A".repeat(5000), /too long/],
  ])("with %s is refused, says what is wrong and does not repeat the secret", (_, text, message) => {
    const failure = failureOf(text)
    expect(failure.code).toBe("invalid-link")
    expect(failure.message).toMatch(message)
    expect(failure.message).not.toContain(secret.slice(2, 12))
  })

  test("mangled in any letter is refused, or is another link", () => {
    for (let at = 0; at < link.length; at++) {
      const mangled = `${link.slice(0, at)}${link[at] === "x" ? "y" : "x"}${link.slice(at + 1)}`
      let parsed: Invitation | null = null
      try {
        parsed = parseInvitation(mangled)
      } catch (error) {
        expect(error).toMatchObject({ code: "invalid-link" })
      }
      if (parsed !== null) expect(parsed).not.toEqual(invitation)
    }
  })

  test("is not made to a server that is no origin", () => {
    for (const server of [
      "meet.example",
      "https://meet.example/path",
      "ftp://meet.example",
      "https://a:b@meet.example",
    ]) {
      expect(() => formatInvitation({ ...invitation, server })).toThrow(KeymootError)
    }
  })
})

describe("the keys of an invitation", () => {
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex")

  test("are three, all different, and others for another secret or another descriptor", () => {
    const other = invitation.secret.with(0, 0)
    const keys = [
      deriveInvitationKeys(invitation.secret, invitation.descriptorHash),
      deriveInvitationKeys(other, invitation.descriptorHash),
      deriveInvitationKeys(invitation.secret, invitation.descriptorHash.with(0, 1)),
    ].flatMap((set) => [set.signal, set.advertisement, set.association].map(hex))
    expect(keys.every((key) => key.length === 64)).toBe(true)
    expect(new Set(keys).size).toBe(9)
  })

  test("are what RFC 5869 makes of them", async () => {
    const native = async (ikm: Uint8Array, info: string) => {
      const key = await crypto.subtle.importKey("raw", ikm.slice(), "HKDF", false, ["deriveBits"])
      const salt = invitation.descriptorHash.slice()
      const parameters = { name: "HKDF", hash: "SHA-256", salt, info: new TextEncoder().encode(info) }
      return hex(new Uint8Array(await crypto.subtle.deriveBits(parameters, key, 256)))
    }
    const keys = deriveInvitationKeys(invitation.secret, invitation.descriptorHash)
    expect(hex(keys.signal)).toBe(await native(invitation.secret, "keymoot v1 invitation signal"))
    expect(hex(keys.advertisement)).toBe(await native(invitation.secret, "keymoot v1 invitation advertisement"))
    expect(hex(keys.association)).toBe(await native(invitation.secret, "keymoot v1 invitation association"))
  })
})

import { describe, expect, test } from "vitest"
import { descriptionFault, withConstantBitrate, withVp9First } from "../../src/media/call/media-description.ts"

const FINGERPRINT = `a=fingerprint:sha-256 ${Array.from({ length: 32 }, () => "AB").join(":")}`
const AUDIO = ["a=mid:0", "a=rtpmap:111 opus/48000/2", "a=fmtp:111 minptime=10;useinbandfec=1", "a=rtpmap:9 G722/8000"]
const VIDEO = ["a=mid:1", "a=rtpmap:98 VP9/90000", "a=rtpmap:96 VP8/90000"]

/** A description as a browser makes it, shortened. */
function description(changed: (line: string) => string = (line) => line): string {
  const audio = ["m=audio 9 UDP/TLS/RTP/SAVPF 111 9", "a=ice-ufrag:one", "a=ice-pwd:secret", FINGERPRINT, ...AUDIO]
  const video = ["m=video 9 UDP/TLS/RTP/SAVPF 98 96", FINGERPRINT, ...VIDEO]
  const sections = [audio, video, video, audio].flat()
  return (
    ["v=0", "o=- 1 2 IN IP4 127.0.0.1", "s=-", "t=0 0", ...sections].map(changed).filter(Boolean).join("\r\n") + "\r\n"
  )
}

const replacing = (before: string, after: string) => description((line) => line.replace(before, after))

describe("a description of a call", () => {
  test("is taken as browsers make it", () => {
    expect(descriptionFault(description(), null)).toBeNull()
    // Firefox, for sections that share the first one's connection.
    const bundled = description((line) =>
      line.replace("m=video 9", "m=video 0").replace("a=mid:1", "a=mid:1\r\na=bundle-only"),
    )
    expect(descriptionFault(bundled, null)).toBeNull()
  })

  test("is refused with another codec as first choice", () => {
    expect(descriptionFault(replacing("SAVPF 98 96", "SAVPF 96 98"), null)).toBe("codec")
    expect(descriptionFault(replacing("VP9", "H264"), null)).toBe("codec")
    expect(descriptionFault(replacing("SAVPF 111 9", "SAVPF 9 111"), null)).toBe("codec")
    expect(descriptionFault(replacing("a=rtpmap:98 VP9/90000", ""), null)).toBe("codec")
  })

  test("is refused without encryption, or with other sections", () => {
    expect(descriptionFault(replacing("UDP/TLS/RTP/SAVPF", "RTP/AVP"), null)).toBe("sections")
    expect(descriptionFault(replacing("m=video 9", "m=video 0"), null)).toBe("sections")
    expect(descriptionFault(replacing("m=video", "m=audio"), null)).toBe("sections")
    expect(descriptionFault(`${description()}m=application 9 UDP/DTLS/SCTP webrtc-datachannel\r\n`, null)).toBe(
      "sections",
    )
    expect(descriptionFault("", null)).toBe("fingerprint")
  })

  test("is refused with another certificate, or a second one", () => {
    const other = replacing("AB:AB", "CD:CD")
    expect(descriptionFault(other, description())).toBe("changed")
    let count = 0
    const second = description((line) =>
      line === FINGERPRINT && ++count === 2 ? line.replace("AB:AB", "CD:CD") : line,
    )
    expect(descriptionFault(second, null)).toBe("fingerprint")
    expect(descriptionFault(replacing(FINGERPRINT, ""), null)).toBe("fingerprint")
  })

  test("may later change its path, and nothing else", () => {
    expect(descriptionFault(replacing("a=ice-ufrag:one", "a=ice-ufrag:two"), description())).toBeNull()
    const more = description((line) => line.replace("a=ice-ufrag:one", "a=ice-ufrag:two").replace("G722", "PCMA"))
    expect(descriptionFault(more, description())).toBe("changed")
  })
})

test("makes Opus constant in its bitrate, whatever the peer asks for", () => {
  const asked = replacing("useinbandfec=1", "usedtx=1;cbr=0;useinbandfec=1")
  for (const sdp of [description(), asked])
    expect(withConstantBitrate(sdp)).toContain("a=fmtp:111 minptime=10;useinbandfec=1;cbr=1;usedtx=0\r\n")
  expect(withConstantBitrate(description()).replaceAll(";cbr=1;usedtx=0", "")).toBe(description())
})

test("offers VP9 of profile 0 first, and keeps all codecs", () => {
  const codecs = ["video/VP8", "video/VP9 2", "video/H264", "video/VP9 0", "video/rtx"].map((name) => {
    const [mimeType, profile] = name.split(" ") as [string, string?]
    return { mimeType, ...(profile && { sdpFmtpLine: `profile-id=${profile}` }) }
  })
  const order = withVp9First(codecs).map((codec) => codecs.indexOf(codec))
  expect(order).toEqual([3, 1, 0, 2, 4])
})

import { describe, expect, test } from "vitest"
import { sampleDescription as description, SAMPLE_FINGERPRINT as FINGERPRINT } from "./sample-description.ts"
import {
  descriptionFault,
  withConstantBitrate,
  withoutLoudness,
  withRedFirst,
  withVp9First,
} from "../../src/media/call/media-description.ts"

const replacing = (before: string, after: string) => description((line) => line.replace(before, after))

describe("a description of a call", () => {
  test("is taken as browsers make it", () => {
    expect(descriptionFault(description())).toBeNull()
    // Firefox, for sections that share the first one's connection.
    const bundled = description((line) =>
      line.replace("m=video 9", "m=video 0").replace("a=mid:1", "a=mid:1\r\na=bundle-only"),
    )
    expect(descriptionFault(bundled)).toBeNull()
  })

  test("is refused with another codec as first choice", () => {
    expect(descriptionFault(replacing("SAVPF 98 96", "SAVPF 96 98"))).toBe("codec")
    for (const codec of ["H264", "VP8", "AV1", "H265"])
      expect(descriptionFault(replacing("VP9", codec)), codec).toBe("codec")
    expect(descriptionFault(replacing("SAVPF 111 9", "SAVPF 9 111"))).toBe("codec")
    expect(descriptionFault(replacing("a=rtpmap:98 VP9/90000", ""))).toBe("codec")
  })

  test("is taken with Opus twice in RED, and with nothing else in it", () => {
    const red = (parameters: string) =>
      description((line) =>
        line
          .replace("SAVPF 111 9", "SAVPF 63 111 9")
          .replace("a=mid:0", `a=mid:0\r\na=rtpmap:63 red/48000/2\r\na=fmtp:63 ${parameters}`),
      )
    expect(descriptionFault(red("111/111"))).toBeNull()
    expect(descriptionFault(red("111/9"))).toBe("codec")
    expect(descriptionFault(red("9/9"))).toBe("codec")
    expect(descriptionFault(red("63/63"))).toBe("codec")
    expect(descriptionFault(red(""))).toBe("codec")
    expect(withConstantBitrate(red("111/111"), 20)).toContain("useinbandfec=1;cbr=1;usedtx=0\r\n")
  })

  test("is refused without encryption, or with other sections", () => {
    expect(descriptionFault(replacing("UDP/TLS/RTP/SAVPF", "RTP/AVP"))).toBe("sections")
    expect(descriptionFault(replacing("m=video 9", "m=video 0"))).toBe("sections")
    expect(descriptionFault(replacing("m=video", "m=audio"))).toBe("sections")
    expect(descriptionFault(`${description()}m=application 9 UDP/DTLS/SCTP webrtc-datachannel\r\n`)).toBe("sections")
    const [, last] = description().split(/(?=m=audio(?![^]*m=audio))/u)
    expect(descriptionFault(`${description()}${last}`)).toBe("sections")
    expect(descriptionFault("")).toBe("fingerprint")
  })

  test.each(["a=rid:hi recv", "a=simulcast:recv hi;lo", "A=RID:hi recv"])("is refused with layers: %s", (line) => {
    expect(descriptionFault(replacing("a=mid:1", `a=mid:1\r\n${line}`))).toBe("sections")
  })

  test("is refused when it sets the rates of the other end's browser", () => {
    const line = "a=fmtp:98 profile-id=0;x-google-min-bitrate=90000"
    expect(descriptionFault(replacing("a=mid:1", `a=mid:1\r\n${line}`))).toBe("codec")
  })

  test("is refused with a second certificate, or none", () => {
    let count = 0
    const second = description((line) =>
      line === FINGERPRINT && ++count === 2 ? line.replace("AB:AB", "CD:CD") : line,
    )
    expect(descriptionFault(second)).toBe("fingerprint")
    expect(descriptionFault(replacing(FINGERPRINT, ""))).toBe("fingerprint")
  })

  test("is refused when its lines end in other ways", () => {
    expect(descriptionFault(replacing("a=fmtp:111 ", "a=fmtp:111 \r"))).toBe("lines")
    expect(descriptionFault(description().replaceAll("\r\n", "\n"))).toBe("lines")
  })

  // Firefox skips the spaces, and takes the line.
  test.each([" b=AS:510", "b =AS:510", "a= ptime:120", " a=fmtp:111 cbr=0"])("is refused with spaces: %j", (line) => {
    expect(descriptionFault(replacing("a=mid:0", `a=mid:0\r\n${line}`))).toBe("lines")
  })

  // JavaScript's `^`, `$` and `.` also end lines at these, and no parser of descriptions does.
  test.each(["\u2028", "\u2029", "\u0085", "\u0000", "\v"])("is refused with the character %j", (character) => {
    const hidden = replacing("a=rtpmap:111 opus", `a=x:${character}a=rtpmap:111 opus/48000/2\r\na=rtpmap:111 L16`)
    expect(descriptionFault(hidden)).toBe("lines")
    expect(descriptionFault(replacing("useinbandfec=1", `cbr=0${character}`))).toBe("lines")
  })

  test("is refused when a payload type has two meanings", () => {
    const second = (line: string) => replacing("a=mid:0", `a=mid:0\r\n${line}`)
    expect(descriptionFault(second("a=rtpmap:111 L16/48000/2"))).toBe("codec")
    expect(descriptionFault(second("a=fmtp:111 cbr=0"))).toBe("codec")
    expect(descriptionFault(second("a=fmtp:0111 cbr=0"))).toBe("codec")
    expect(descriptionFault(second("a=fmtp: 111 cbr=0"))).toBe("codec")
    expect(descriptionFault(second("a=rtpmap:+111 L16/48000/2"))).toBe("codec")
    expect(descriptionFault(replacing("SAVPF 111 9", "SAVPF 0111 111 9"))).toBe("codec")
  })
})

test.each([
  "minptime=10;useinbandfec=1",
  "usedtx=1;cbr=0;useinbandfec=1",
  "maxaveragebitrate=510000;stereo=1",
  "ptime=120;maxptime=120;minptime=120;sprop-stereo=1",
  "",
])("sends Opus as this end chooses, whatever the peer asks for: %s", (asked) => {
  const own = "a=fmtp:111 minptime=10;useinbandfec=1;cbr=1;usedtx=0\r\na=ptime:40"
  const line = asked && `a=fmtp:111 ${asked}`
  const sent = withConstantBitrate(
    description((each) => (each.startsWith("a=fmtp:111") ? line : each)),
    40,
  )
  expect(sent).toBe(description((each) => (each.startsWith("a=fmtp:111") ? own : each)))
})

test.each(["b=AS:510", "B=TIAS:510000", "b=X-any:1", "a=ptime:120", "a=maxptime:120", "A=PTIME :120"])(
  "keeps a peer's line from setting the rate of a microphone: %s",
  (line) => {
    const own = withConstantBitrate(description(), 20)
    for (const before of ["t=0 0", "a=mid:0", "a=mid:1"]) {
      const asked = replacing(before, `${before}\r\n${line}`)
      expect([descriptionFault(asked), withConstantBitrate(asked, 20)]).toEqual([null, own])
    }
  },
)

test("asks the other end to name no loudness in the headers of its packets", () => {
  const uri = "urn:ietf:params:rtp-hdrext:"
  const lines = ["1 ssrc", "2/sendonly csrc"].map(
    (each) => `a=extmap:${each.replace(" ", ` ${uri}`)}-audio-level vad=on`,
  )
  const mid = `a=extmap:4 ${uri}sdes:mid`
  const named = replacing("a=mid:0", ["a=mid:0", ...lines, mid].join("\r\n"))
  expect(withoutLoudness(named)).toBe(replacing("a=mid:0", `a=mid:0\r\n${mid}`))
  expect(withoutLoudness(description())).toBe(description())
})

test("offers redundant sound first where the browser has it", () => {
  const codecs = ["audio/opus", "audio/red", "audio/G722"].map((mimeType) => ({ mimeType }))
  expect(withRedFirst(codecs).map((codec) => codecs.indexOf(codec))).toEqual([1, 0, 2])
  expect(withRedFirst(codecs.slice(2))).toEqual(codecs.slice(2))
})

test("offers VP9 of profile 0 first, and keeps all codecs", () => {
  const codecs = ["video/VP8", "video/VP9 2", "video/H264", "video/VP9 0", "video/rtx"].map((name) => {
    const [mimeType, profile] = name.split(" ") as [string, string?]
    return { mimeType, ...(profile && { sdpFmtpLine: `profile-id=${profile}` }) }
  })
  const order = withVp9First(codecs).map((codec) => codecs.indexOf(codec))
  expect(order).toEqual([3, 1, 0, 2, 4])
})

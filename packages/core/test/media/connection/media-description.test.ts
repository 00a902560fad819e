import { describe, expect, test } from "vitest"
import { sampleDescription as description, SAMPLE_FINGERPRINT as FINGERPRINT } from "./sample-description.ts"
import {
  descriptionFault,
  withConstantBitrate,
  withoutContentInHeaders,
  withoutStrayFeedback,
  wantedCodecs,
  withRedFirst,
} from "../../../src/media/connection/media-description.ts"

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
    expect(descriptionFault(replacing("SAVPF 98 99", "SAVPF 99 98"))).toBe("codec")
    for (const codec of ["H264", "VP8", "AV1", "H265"])
      expect(descriptionFault(replacing("VP9", codec)), codec).toBe("codec")
    expect(descriptionFault(replacing("opus/48000/2", "G722/8000"))).toBe("codec")
    expect(descriptionFault(replacing("a=rtpmap:98 VP9/90000", ""))).toBe("codec")
  })

  // Its sender could use the codec at any time, without another description.
  test.each([
    ["98 99", "VP8/90000"],
    ["98 99", "H264/90000"],
    ["98 99", "AV1/90000"],
    ["111 63", "G722/8000"],
    ["111 63", "CN/8000"],
  ])("is refused with another codec as a later choice: %s %s", (payloads, codec) => {
    const listed = (list: string) =>
      description((line) =>
        line
          .replace(`SAVPF ${payloads}`, `SAVPF ${payloads}${list}`)
          .replace(`a=rtpmap:${payloads.slice(0, payloads.indexOf(" "))} `, `a=rtpmap:50 ${codec}\r\n$&`),
      )
    expect(descriptionFault(listed(" 50"))).toBe("codec")
    expect(descriptionFault(listed(""))).toBe("codec")
  })

  // Browsers know the codecs of some numbers without a line for them.
  test.each([" 0", " 8", " telephone", " 98 0"])("is refused with payload types of no line: %j", (list) => {
    expect(descriptionFault(replacing("SAVPF 111 63", `SAVPF 111 63${list}`))).toBe("codec")
  })

  test("is taken with Opus twice in RED, and with nothing else in it", () => {
    const red = (parameters: string) =>
      description((line) => line.replace("SAVPF 111 63", "SAVPF 63 111").replace("fmtp:63 111/111", parameters))
    expect(descriptionFault(red("fmtp:63 111/111"))).toBeNull()
    for (const parameters of ["fmtp:63 111/9", "fmtp:63 9/9", "fmtp:63 63/63", "x:y"])
      expect(descriptionFault(red(parameters)), parameters).toBe("codec")
    expect(withConstantBitrate(red("fmtp:63 111/111"), 20)).toContain("useinbandfec=1;cbr=1;usedtx=0\r\n")
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

  test("is refused with 50 sections, or with 50 tracks in one", () => {
    const last = description().slice(description().lastIndexOf("m="))
    expect(descriptionFault(description() + last.repeat(46))).toBe("sections")
    const tracks = (count: number) =>
      replacing("a=mid:1", ["a=mid:1", ...Array.from({ length: count }, (_, at) => `a=msid:- ${at}`)].join("\r\n"))
    expect([descriptionFault(tracks(1)), descriptionFault(tracks(2)), descriptionFault(tracks(50))]).toEqual([
      null,
      "sections",
      "sections",
    ])
  })

  test.each(["a=rid:hi recv", "a=simulcast:recv hi;lo", "a=RID:hi recv"])("is refused with layers: %s", (line) => {
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

  // Firefox's other parser takes it for a section, which would have no place in the call.
  test("is refused with the type of a line in capitals", () => {
    expect(descriptionFault(`${description()}M=audio 9 UDP/TLS/RTP/SAVPF 111\r\n`)).toBe("lines")
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
    expect(descriptionFault(replacing("SAVPF 111 63", "SAVPF 0111 111 63"))).toBe("codec")
  })
})

test.each([
  "minptime=10;useinbandfec=1",
  "usedtx=1;cbr=0;useinbandfec=1",
  "maxaveragebitrate=510000;stereo=1",
  "ptime=120;maxptime=120;minptime=120;sprop-stereo=1",
  "",
])("sends Opus as this end chooses, not as the peer asks: %s", (asked) => {
  const own = "a=fmtp:111 minptime=10;useinbandfec=1;cbr=1;usedtx=0\r\na=ptime:40"
  const line = asked && `a=fmtp:111 ${asked}`
  const sent = withConstantBitrate(
    description((each) => (each.startsWith("a=fmtp:111") ? line : each)),
    40,
  )
  expect(sent).toBe(description((each) => (each.startsWith("a=fmtp:111") ? own : each)))
})

test.each(["b=AS:510", "b=TIAS:510000", "b=X-any:1", "a=ptime:120", "a=maxptime:120", "a=PTIME :120"])(
  "keeps a peer's line from setting the rate of a microphone: %s",
  (line) => {
    const own = withConstantBitrate(description(), 20)
    for (const before of ["t=0 0", "a=mid:0", "a=mid:1"]) {
      const asked = replacing(before, `${before}\r\n${line}`)
      expect([descriptionFault(asked), withConstantBitrate(asked, 20)]).toEqual([null, own])
    }
  },
)

test("leaves no headers of packets but known ones without content", () => {
  const [ietf, google] = ["urn:ietf:params:rtp-hdrext:", "http://www.webrtc.org/experiments/rtp-hdrext/"]
  const loudness = [`1 ${ietf}ssrc-audio-level vad=on`, `2/sendonly ${ietf}csrc-audio-level`]
  const unknown = [`3 ${google}corruption-detection`, `5 ${google}of-tomorrow`, `6  ${ietf}sdes:mid`, "7"]
  const known = [`4 ${ietf}sdes:mid`, `8/recvonly ${google}abs-send-time`, "9 urn:3gpp:video-orientation"]
  const withLines = (extensions: readonly string[]): string =>
    replacing("a=mid:0", ["a=mid:0", ...extensions.map((each) => `a=extmap:${each}`)].join("\r\n"))
  expect(withoutContentInHeaders(withLines([...loudness, ...unknown, ...known]))).toBe(withLines(known))
  expect(withoutContentInHeaders(description())).toBe(description())
})

const named = (...names: string[]) =>
  names.map((name) => {
    const [mimeType, profile] = name.split(" ") as [string, string?]
    return { mimeType, ...(profile && { sdpFmtpLine: `profile-id=${profile}` }) }
  })

// Firefox writes them for codecs that it was told to leave out, and Chromium refuses them.
test("takes a description without feedback of codecs that it does not list", () => {
  const feedback = (payload: number) => `a=rtcp-fb:${payload} nack pli`
  const with98 = replacing("a=mid:1", `a=mid:1\r\n${feedback(98)}`)
  const strays = replacing("a=mid:1", ["a=mid:1", feedback(120), feedback(98), feedback(9)].join("\r\n"))
  expect(withoutStrayFeedback(strays)).toBe(with98)
  expect(withoutStrayFeedback(with98)).toBe(with98)
})

test("offers Opus alone, and redundant sound first where the browser has it", () => {
  const codecs = named("audio/opus", "audio/red", "audio/G722", "audio/PCMU", "audio/CN")
  const wanted = wantedCodecs("audio", codecs)
  expect(wanted).toEqual(codecs.slice(0, 2))
  expect(withRedFirst(wanted).map((codec) => codecs.indexOf(codec))).toEqual([1, 0])
  expect(withRedFirst(codecs.slice(2))).toEqual(codecs.slice(2))
})

test("offers VP9 of profile 0 alone, with what repeats and repairs packets", () => {
  const others = named("video/VP8", "video/VP9 2", "video/H264", "video/AV1")
  const kept = named("video/rtx", "video/red", "video/ulpfec", "video/flexfec-03")
  const vp9 = named("video/VP9 0")
  const wanted = wantedCodecs("video", [...others, ...kept, ...vp9])
  expect(wanted).toEqual([...vp9, ...kept])
})

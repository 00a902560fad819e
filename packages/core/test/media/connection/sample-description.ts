const FINGERPRINT = `a=fingerprint:sha-256 ${Array.from({ length: 32 }, () => "AB").join(":")}`
const OPUS = ["a=rtpmap:111 opus/48000/2", "a=fmtp:111 minptime=10;useinbandfec=1"]
const AUDIO = ["a=mid:0", ...OPUS, "a=rtpmap:63 red/48000/2", "a=fmtp:63 111/111"]
const VIDEO = ["a=mid:1", "a=rtpmap:98 VP9/90000", "a=rtpmap:99 rtx/90000", "a=fmtp:99 apt=98"]

export const SAMPLE_FINGERPRINT = FINGERPRINT

/** A description of a call as a browser makes it, shortened. */
export function sampleDescription(changed: (line: string) => string = (line) => line): string {
  const audio = ["m=audio 9 UDP/TLS/RTP/SAVPF 111 63", "a=ice-ufrag:one", "a=ice-pwd:secret", FINGERPRINT, ...AUDIO]
  const video = ["m=video 9 UDP/TLS/RTP/SAVPF 98 99", FINGERPRINT, ...VIDEO]
  const sections = [audio, video, video, audio].flat()
  return (
    ["v=0", "o=- 1 2 IN IP4 127.0.0.1", "s=-", "t=0 0", ...sections].map(changed).filter(Boolean).join("\r\n") + "\r\n"
  )
}

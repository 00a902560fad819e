/** Names of the metrics of a call. */

export const LAYERS = ["microphone", "microphone and camera"] as const
export type Layer = (typeof LAYERS)[number]

export const transformMetric = (kind: string, direction: string, part: string): string =>
  `transform of a frame of ${kind} ${direction === "send" ? "sent" : "received"}, ${part}`
export const FRAMES = "frames a second of each picture"
export const FRAMES_CLEAR = "frames a second of each picture, the same call without frame encryption"
export const LINES = "lines of each picture"
export const PROCESSOR = "processor, encrypted"
export const PROCESSOR_CLEAR = "processor, the same call without frame encryption"
export const PROCESSOR_RATIO = "processor, encrypted to not encrypted in one run"
/** Means by the browser's counters. */
export const ENCODED = "encoding of a frame of video"
export const PACED = "wait of a packet of video before it is sent"
export const ROUND_TRIP = "round trip of the network"
export const BUFFERED = "wait of a frame of video in the jitter buffer"
export const DECODED = "decoding of a frame of video"
export const FROM_PACKET = "from the last packet of a frame of video to the screen"
/** In the app, with the device that the click opens. */
export const CLICK = "from pressing Camera to its first frame at the other"
export const PUBLISH = "from publishing a camera to its first frame at the other"
/** A change of a document at one page to its event at another. */
export const STROKE_SILENT = "stroke to the other in a silent room"
export const STROKE_CALL = "stroke to the other beside the call"
export const CHAT_SILENT = "chat message to the other in a silent room"
export const CHAT_CALL = "chat message to the other beside the call"
export const STROKE_RATIO = "stroke, p95 beside the call to p95 in the silent room before and after it"
export const CHAT_RATIO = "chat message, p95 beside the call to p95 in the silent room before and after it"
export const ENTER = "from entering a call to the first frame of the other"

export const CAMERA: Layer = "microphone and camera"

/** Rows of the table by layer, on the way of a frame. */
export const LAYER_METRICS: Readonly<Record<string, string>> = {
  [ENCODED]: "encoder",
  [transformMetric("video", "send", "p50")]: "frame encryption, p50",
  [transformMetric("video", "send", "p99")]: "frame encryption, p99",
  [PACED]: "wait of a packet before it is sent",
  [ROUND_TRIP]: "network, there and back",
  [transformMetric("video", "receive", "p50")]: "frame decryption, p50",
  [transformMetric("video", "receive", "p99")]: "frame decryption, p99",
  [BUFFERED]: "jitter buffer",
  [DECODED]: "decoder",
  [FROM_PACKET]: "last packet to screen",
  [FRAMES]: "frames a second of each picture",
  [FRAMES_CLEAR]: "frames a second without frame encryption",
  [PROCESSOR]: "processor",
}

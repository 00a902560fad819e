/** How a call is shown on the benchmark's page and in its document. */
import type { Experiment } from "../experiment/experiment.ts"
import type { Figure } from "../experiment/figure.ts"
import { find, medianOf, withUnit } from "../experiment/story.ts"
import { callTables } from "./limits.ts"
import {
  BUFFERED,
  CAMERA,
  CHAT_CALL,
  CHAT_SILENT,
  CLICK,
  DECODED,
  ENCODED,
  ENTER,
  FRAMES,
  type Layer,
  LAYERS,
  LINES,
  PROCESSOR,
  PROCESSOR_CLEAR,
  PROCESSOR_RATIO,
  PUBLISH,
  STROKE_CALL,
  STROKE_SILENT,
  transformMetric,
} from "./metrics.ts"

const TIMES = [CLICK, PUBLISH, ENTER, STROKE_SILENT, STROKE_CALL, CHAT_SILENT, CHAT_CALL]
const ON_THE_WAY = [
  ENCODED,
  transformMetric("video", "send", "p50"),
  transformMetric("video", "receive", "p50"),
  BUFFERED,
  DECODED,
]

export const callDescription: Omit<Experiment, "run"> = {
  name: "call",
  about:
    "Two to eight pages in a call with fake devices: frame encryption, processors, frames a second, times to a picture, strokes.",
  needs: "Chromium and npm run build:web",
  minutesMax: 40,
  takes: { sizes: { what: "people", least: 2, most: 12 } },
  shows: {
    plots: [
      {
        title: "Processor time of all browsers in a call, with and without frame encryption",
        of: ({ metric, event }) => event === CAMERA && (metric === PROCESSOR || metric === PROCESSOR_CLEAR),
        x: { label: "people", at: ({ n }) => n! },
        series: ({ metric }) => metric,
        scale: "linear",
      },
      {
        title: "Frames a second of each picture",
        of: ({ metric }) => metric === FRAMES,
        x: { label: "people", at: ({ n }) => n! },
        series: ({ event }) => event!,
        scale: "linear",
      },
      {
        title: "Time of a frame of video by layer",
        of: ({ metric, event }) => event === CAMERA && ON_THE_WAY.includes(metric),
        x: { label: "people", at: ({ n }) => n! },
        series: ({ metric }) => metric,
        scale: "log",
      },
      {
        title: "Waiting times of a person in a call",
        of: ({ metric }) => TIMES.includes(metric),
        bar: ({ metric }) => metric,
        scale: "linear",
      },
    ],
    paper: "None of the papers has voice or video.",
    found: (figures: readonly Figure[]) => {
      const at = (n: number, metric: string): string => medianOf(figures, { event: CAMERA, n, metric })
      const video = (part: string) => at(2, transformMetric("video", "send", part))
      const p95 = (metric: string): string => {
        const figure = find(figures, { metric })
        return figure ? withUnit(figure.p95, figure.unit) : "?"
      }
      const ofLayer = (event: Layer, n: number): string =>
        `${medianOf(figures, { event, n, metric: PROCESSOR })} with ${event}`
      const people = [...new Set(figures.flatMap(({ n, metric }) => (metric === PROCESSOR ? [n!] : [])))]
      const layers = people
        .map((n) => `With ${n} people, they are taken: ${LAYERS.map((event) => ofLayer(event, n)).join(", and ")}.`)
        .join(" ")
      const sizes = [...new Set(figures.flatMap(({ n, metric }) => (metric === FRAMES ? [n!] : [])))]
      const frames = sizes
        .map((n) => `With ${n} people, pictures have ${at(n, FRAMES)} at ${at(n, LINES)} lines.`)
        .join(" ")
      return `With two people, a frame of video is encrypted in ${video("p50")} (p99 ${video("p99")}). A call of two takes ${at(2, PROCESSOR_RATIO)} the processor time of that without frame encryption, and ${medianOf(figures, { event: "microphone", n: 2, metric: PROCESSOR_RATIO })} with microphones alone. ${frames || "?"}\n\nA person who presses Camera in the app is seen at the other after ${medianOf(figures, { metric: CLICK })} (p95 ${p95(CLICK)}). From the call of the API, an open track takes ${medianOf(figures, { metric: PUBLISH })} (p95 ${p95(PUBLISH)}). A person who enters sees the other after ${medianOf(figures, { metric: ENTER })}.\n\nThe browsers share the processors. ${layers || "?"}\n\nA stroke is at the other after ${p95(STROKE_CALL)} (p95) beside the call, and after ${p95(STROKE_SILENT)} in the same room before and after it. A chat message takes ${p95(CHAT_CALL)} and ${p95(CHAT_SILENT)}.`
    },
    tables: callTables,
    why: "A frame waits for its turn in the worker, then for one AES-GCM call of the browser, which runs on another thread. Most processor time of a call with cameras is the encoding and decoding of video, so encryption adds little. Without cameras its share is larger. About half of it is the browser's interface for encoded frames, as a worker that passes them on unchanged shows (decision 0059).\n\nIn a mesh each page encodes its camera once for each other person. From five people on a camera sends 180 lines at 15 frames a second. A picture begins with a key frame over a connection that is there already. All people share the processors of one machine here.\n\nA call has 30 connections with six people and 56 with eight. The sound of eight who all speak is more than two processors can carry (decision 0059). So with more than six people, one speaks with a small camera here. The others listen, and have no devices open.",
  },
}

/** Frame encryption alone: one frame after another, as a media worker encrypts and decrypts those of a track. */
import { FramePair } from "@keymoot/core/testing"
import type { Experiment } from "../experiment/experiment.ts"
import { figureOf } from "../experiment/figure.ts"
import { medianOf } from "../experiment/story.ts"

/** A packet of Opus, one of RED, a frame of 360p30 video, and a key frame. */
const BYTES = [80, 165, 3000, 30_000]
const FRAMES = { quick: 200, full: 1000 }
/** Timed together, because a browser's clock is coarse. */
const AT_ONCE = 10
const SEALED = "one frame encrypted"
const OPENED = "one frame decrypted"

export const framesExperiment: Experiment = {
  name: "frames",
  about: "Frame encryption of calls by size of frame, without the browser's tracks.",
  takes: { sizes: { what: "bytes", least: 1, most: 1_000_000 } },
  run: async function* ({ sizes = BYTES, runs, quick }, progress) {
    const count = (runs ?? 1) * FRAMES[quick ? "quick" : "full"]
    for (const [done, n] of sizes.entries()) {
      progress(done, sizes.length)
      const pair = await FramePair.create()
      const plaintext = new Uint8Array(n)
      const [sealed, opened]: [number[], number[]] = [[], []]
      for (let i = -AT_ONCE; i < count; i += AT_ONCE) {
        const startMs = performance.now()
        const frames: Uint8Array[] = []
        for (let j = 0; j < AT_ONCE; j++) frames.push(await pair.seal(plaintext))
        const halfMs = performance.now()
        for (const frame of frames) await pair.open(frame)
        // The first ones warm up.
        if (i < 0) continue
        sealed.push((halfMs - startMs) / AT_ONCE)
        opened.push((performance.now() - halfMs) / AT_ONCE)
      }
      yield figureOf({ experiment: "frames", n, metric: SEALED, unit: "ms" }, sealed)
      yield figureOf({ experiment: "frames", n, metric: OPENED, unit: "ms" }, opened)
    }
    progress(sizes.length, sizes.length)
  },
  shows: {
    plots: [
      {
        title: "Encrypting and decrypting one frame of a call",
        of: ({ unit }) => unit === "ms",
        x: { label: "bytes", at: ({ n }) => n! },
        series: ({ metric }) => metric,
        scale: "log",
      },
    ],
    paper: "None of the papers has voice or video.",
    found: (figures) => {
      const at = (n: number, metric: string) => medianOf(figures, { n, metric })
      const of = (n: number) => `takes ${at(n, SEALED)} to encrypt and ${at(n, OPENED)} to decrypt`
      return `A packet of sound of ${BYTES[0]} bytes ${of(80)}. A frame of video of 3000 bytes ${of(3000)}. A key frame of 30,000 bytes ${of(30_000)}.`
    },
    why: "One call of WebCrypto is most of it, whose work runs on another thread. So the time hardly grows with the size of a frame.",
  },
}

import type { Experiment, Plot } from "../experiment/experiment.ts"
import { COMPARED, multicast, PLAIN_BYTES } from "./multicast.ts"
import type { Figure } from "../experiment/figure.ts"
import { ifMeasured, medianOf, spreadOf } from "../experiment/story.ts"

/** Bytes; none at all is what the frame costs. */
const SIZES = { quick: [0, 1024, 65_536], full: [0, 100, 1024, 10_240, 102_400, 1_048_576] }

/** Rates span several powers of ten: a linear axis would show the smallest messages only. */
const plots: readonly Plot[] = [
  { metric: "send", what: "time of one message", scale: "linear" },
  { metric: "receive", what: "time of one message", scale: "linear" },
  { metric: "send, rate", what: "messages a second", scale: "log" },
  { metric: "receive, rate", what: "messages a second", scale: "log" },
  { metric: "send, throughput", what: "MB a second", scale: "log" },
  { metric: "receive, throughput", what: "MB a second", scale: "log" },
].map(({ metric, what, scale }) => ({
  title: `${metric.split(",")[0]}: ${what}`,
  of: (figure) => figure.metric === metric,
  x: { label: "bytes of the message", at: ({ n }) => n! },
  series: ({ module, event }) => `${module}, ${event}`,
  scale: scale as Plot["scale"],
}))

/** Older results had all runs of one mode before those of the other. */
function modesSentence(figures: readonly Figure[]): string {
  const ratio = (metric: string, event: string) =>
    spreadOf(figures, { module: "signature", event, n: PLAIN_BYTES, metric: `${metric}, ${COMPARED}` })
  const sentence = `Signed, one message takes ${ratio("send", "alone")} as long to send as under the group key alone, and ${ratio("receive", "alone")} as long to receive. In batches it takes ${ratio("send", "batched")} and ${ratio("receive", "batched")} as long.`
  return sentence.includes("?")
    ? "These results had the runs of one mode before those of the other, so they do not compare the modes."
    : sentence
}

export const multicastExperiment: Experiment = {
  name: "multicast",
  about:
    "A member's computation to send and to receive a message of 0 to 1 MB, signed or under the group key alone, batched.",
  takes: { sizes: { what: "bytes", least: 0, most: 4_194_304 } },
  run: async function* (options, progress) {
    const { quick = false } = options
    const sizes = options.sizes ?? SIZES[quick ? "quick" : "full"]
    for (const [done, bytes] of sizes.entries()) {
      progress(done, sizes.length)
      yield* await multicast(bytes, options.runs ?? (quick ? 3 : 9))
    }
    progress(sizes.length, sizes.length)
  },
  shows: {
    plots,
    paper:
      "For messages of up to 1000 kbit, HMAC-MD5 is four times as fast as 512-bit RSA signatures (SecChat, section 3.2, figure 2, left). The throughput is an upper bound that follows from these times. It grows with the size of the messages (figure 2, right).",
    found: (figures) => {
      const at = (module: string, metric: string, event: string) =>
        medianOf(figures, { module, metric, event, n: PLAIN_BYTES })
      const most = Math.max(...figures.map(({ n }) => n!), 0)
      const limit = (module: string, metric: string) => spreadOf(figures, { module, metric, event: "alone", n: most })
      const throughput = ifMeasured(
        "Throughput",
        `The largest messages have ${most} bytes. Signed, they are sent at ${limit("signature", "send, throughput")} and received at ${limit("signature", "receive, throughput")}. Under the group key alone the rates are ${limit("group", "send, throughput")} and ${limit("group", "receive, throughput")}.`,
      )
      return `A signed message of 1 KiB alone takes ${at("signature", "send", "alone")} to send and ${at("signature", "receive", "alone")} to receive. Under the group key alone it takes ${at("group", "send", "alone")} and ${at("group", "receive", "alone")}. Messages in signed batches are sent at ${at("signature", "send, rate", "batched")} and received at ${at("signature", "receive, rate", "batched")}. The rates under the group key alone are ${at("group", "send, rate", "batched")} and ${at("group", "receive, rate", "batched")}. ${modesSentence(figures)}\n\n${throughput}`
    },
    why: "A message alone costs one encryption, and a signature or a tag under the group key. One signature and one encryption serve all messages that leave together. So a message in a batch costs copying and ciphering its bytes, in both modes.",
  },
}

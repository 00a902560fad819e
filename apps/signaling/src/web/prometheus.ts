import { goodbyeCodes } from "@keymoot/transport/signaling-protocol"
import { type Gauges, type Metrics, REFUSALS, STUN_OUTCOMES } from "./metrics.ts"

/** Seconds: from a request that touches no disk to one that waits for a busy database. */
const LATENCY_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 20]

/** Counts for Prometheus. Loads its library lazily. */
export async function openPrometheus(gauges: Gauges): Promise<Metrics> {
  const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = await import("prom-client")
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })

  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value())
      },
    })
  gauge("keymoot_connections", "Open connections.", gauges.connections)
  gauge("keymoot_rooms", "Rooms with a connection of this process.", gauges.rooms)

  const counter = <Label extends string = never>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers })
  const requests = counter(
    "keymoot_requests_total",
    "Answered requests by kind and outcome: ok, or the error code.",
    "request",
    "outcome",
  )
  const latency = new Histogram({
    name: "keymoot_request_seconds",
    help: "Time from the arrival of a request to its answer.",
    labelNames: ["request"],
    buckets: LATENCY_BUCKETS,
    registers,
  })
  const entries = counter(
    "keymoot_entries_total",
    "Entries into rooms: with a proof of the invitation, or unproven.",
    "kind",
  )
  const bytes = counter("keymoot_bytes_total", "Payload bytes of connections.", "direction")
  const refused = counter(
    "keymoot_connections_refused_total",
    "Connections that were not accepted: the server was full or draining, or their network address was at its limit.",
    "why",
  )
  const dismissed = counter("keymoot_goodbyes_total", "Connections that the server closed, by reason.", "why")
  const stun = counter(
    "keymoot_stun_requests_total",
    "Datagrams to the embedded STUN server by outcome; refused: beyond a rate.",
    "outcome",
  )
  // A series that begins with its first event shows Prometheus no increase, so an alert would miss that event.
  for (const why of REFUSALS) refused.inc({ why }, 0)
  for (const why of goodbyeCodes) dismissed.inc({ why }, 0)
  for (const outcome of STUN_OUTCOMES) stun.inc({ outcome }, 0)
  const storeErrors = counter("keymoot_store_errors_total", "Failures of the database.")

  return {
    answered: (request, outcome, seconds) => {
      requests.inc({ request, outcome })
      latency.observe({ request }, seconds)
    },
    entered: (proven) => entries.inc({ kind: proven ? "proven" : "unproven" }),
    bytes: (direction, count) => bytes.inc({ direction }, count),
    connectionRefused: (why) => refused.inc({ why }),
    dismissed: (why) => dismissed.inc({ why }),
    storeFailed: () => storeErrors.inc(),
    stun: (outcome) => stun.inc({ outcome }),
    report: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  }
}

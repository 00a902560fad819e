import { createHash, timingSafeEqual } from "node:crypto"
import type { IncomingMessage } from "node:http"
import type { Metrics } from "./metrics.ts"

/** Timeout of one service's ping. */
const PING_TIMEOUT_MS = 2_000

export interface ProbeAnswer {
  readonly status: number
  readonly text: string
  readonly contentType?: string
}

export type Probes = Readonly<Record<string, (request: IncomingMessage) => ProbeAnswer | Promise<ProbeAnswer>>>

interface Surroundings {
  /** The services that this server needs; each rejects when it cannot be reached or does not work. */
  readonly needs: Readonly<Record<string, () => Promise<void>>>
  readonly metrics: Metrics
  readonly metricsToken: string | undefined
  isDraining(): boolean
}

const notFound: ProbeAnswer = { status: 404, text: "Not found.\n" }

/**
 * The endpoints for operators. `/healthz`: the process answers. `/readyz`: a load balancer should send clients here.
 * `/metrics`: for operators only, hence the token.
 */
export function openProbes({ needs, metrics, metricsToken, isDraining }: Surroundings): Probes {
  return {
    "/healthz": () => ({ status: 200, text: "ok\n" }),
    "/readyz": async () => {
      if (isDraining()) return { status: 503, text: "draining\n" }
      for (const [name, ping] of Object.entries(needs)) {
        if (!(await isReachable(ping))) return { status: 503, text: `the ${name} cannot be reached or does not work\n` }
      }
      return { status: 200, text: "ok\n" }
    },
    "/metrics": async (request) => {
      // Without a token the page does not exist, and its answer does not reveal that it could.
      if (metricsToken === undefined) return notFound
      if (!presents(request, metricsToken)) return { status: 401, text: "This page requires its bearer token.\n" }
      const report = await metrics.report()
      return report === undefined ? notFound : { status: 200, ...report }
    },
  }
}

async function isReachable(ping: () => Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<boolean>((done) => (timer = setTimeout(done, PING_TIMEOUT_MS, false)))
  const answer = ping().then(
    () => true,
    () => false,
  )
  const reachable = await Promise.race([answer, timeout])
  clearTimeout(timer)
  return reachable
}

/** In constant time: compares digests, which have equal length. */
function presents(request: IncomingMessage, token: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest()
  return timingSafeEqual(digest(request.headers.authorization ?? ""), digest(`Bearer ${token}`))
}

import { cpus } from "node:os"

/** The share of this machine's processors in use since it was made. All hosts of a lab share them. */
export class BusyShare {
  readonly #from = spent()

  /** In percent of all processors. */
  percent(): number {
    const to = spent()
    const all = to.all - this.#from.all
    return all > 0 ? (100 * (to.busy - this.#from.busy)) / all : 0
  }
}

/** Milliseconds of all processors since the machine started. */
function spent(): { readonly busy: number; readonly all: number } {
  let busy = 0
  let all = 0
  for (const { times } of cpus()) {
    const total = times.user + times.nice + times.sys + times.irq + times.idle
    all += total
    busy += total - times.idle
  }
  return { busy, all }
}

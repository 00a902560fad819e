import { filled, texts } from "./texts.ts"

export type Status =
  | { readonly kind: "idle" | "done" | "stopped" }
  | { readonly kind: "running"; readonly part: number; readonly sinceMs: number }
  | { readonly kind: "failed"; readonly reason: string }

/** Less says nothing about the rest. */
const PART_TOLD = 0.02

export function RunStatus({ status, count }: { readonly status: Status; readonly count: number }) {
  return (
    <div className="bench-status">
      {status.kind === "running" && <progress max={1} value={status.part} aria-label={texts.experiment} />}
      <p role="status">{sentence(status, count)}</p>
    </div>
  )
}

function sentence(status: Status, count: number): string {
  switch (status.kind) {
    case "idle":
      return ""
    case "done":
      return filled(texts.done, { count })
    case "stopped":
      return texts.stopped
    case "failed":
      return filled(texts.failed, { reason: status.reason })
    case "running": {
      const { part, sinceMs } = status
      const seconds = Math.ceil(((performance.now() - sinceMs) / 1000) * (1 / part - 1))
      const left = part < PART_TOLD ? texts.leftUnknown : filled(texts.left, { seconds })
      return filled(texts.running, { percent: Math.floor(part * 100), left })
    }
  }
}

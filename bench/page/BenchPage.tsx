import { useRef, useState } from "react"
import { Chooser } from "./Chooser.tsx"
import { Elsewhere } from "./Elsewhere.tsx"
import { experimentsOfPage } from "./experiments.ts"
import { Results } from "./Results.tsx"
import { type Choice, FIRST_CHOICE, optionsOf } from "./request.ts"
import { start } from "./run.ts"
import { RunStatus, type Status } from "./RunStatus.tsx"
import type { Figure } from "../src/experiment/figure.ts"
import { texts } from "./texts.ts"
import { withCode } from "./with-code.tsx"

export function BenchPage({ version }: { readonly version: string }) {
  const [experiment, setExperiment] = useState(experimentsOfPage[0]!)
  const [choice, setChoice] = useState<Choice>(FIRST_CHOICE)
  const [problem, setProblem] = useState<string | null>(null)
  const [status, setStatus] = useState<Status>({ kind: "idle" })
  const [ran, setRan] = useState({ experiment, quick: choice.quick })
  const [figures, setFigures] = useState<readonly Figure[]>([])
  const stop = useRef<() => void>(() => {})
  const running = status.kind === "running"

  function begin(): void {
    const options = optionsOf(experiment, choice)
    setProblem(typeof options === "string" ? options : null)
    if (typeof options === "string") return
    const sinceMs = performance.now()
    setRan({ experiment, quick: choice.quick })
    setFigures([])
    setStatus({ kind: "running", part: 0, sinceMs })
    stop.current = start(experiment, options, {
      progress: (part) => setStatus({ kind: "running", part, sinceMs }),
      figure: (figure) => setFigures((before) => [...before, figure]),
      done: () => setStatus({ kind: "done" }),
      failed: (reason) => setStatus({ kind: "failed", reason }),
    })
  }

  function halt(): void {
    stop.current()
    setStatus({ kind: "stopped" })
  }

  return (
    <main className="bench">
      <header>
        <h1>{texts.title}</h1>
        <p>{withCode(texts.lead)}</p>
      </header>
      <Chooser
        experiment={experiment}
        onExperiment={setExperiment}
        choice={choice}
        onChoice={(changed) => setChoice((before) => ({ ...before, ...changed(before) }))}
        problem={problem}
        running={running}
        onStart={begin}
        onStop={halt}
      />
      <RunStatus status={status} count={figures.length} />
      {figures.length > 0 && <Results {...ran} figures={figures} version={version} running={running} />}
      <Elsewhere />
      <p>
        <a href="/">{texts.toStart}</a>
      </p>
    </main>
  )
}

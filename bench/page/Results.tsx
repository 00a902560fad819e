import { useState } from "react"
import type { Experiment } from "../src/experiment/experiment.ts"
import type { Figure } from "../src/experiment/figure.ts"
import { plotsOf } from "../src/plots/plots-of.ts"
import { csvOf, jsonOf, save } from "./exports.ts"
import { SelectField } from "./fields.tsx"
import { FigureTable } from "./FigureTable.tsx"
import { machineLine } from "./machine-line.ts"
import { PlotView, type ScaleChoice } from "./PlotView.tsx"
import { texts } from "./texts.ts"

type ResultsProps = {
  readonly experiment: Experiment
  /** Whether it was asked for little. */
  readonly quick: boolean
  readonly figures: readonly Figure[]
  readonly version: string
  readonly running: boolean
}

export function Results({ experiment, quick, figures, version, running }: ResultsProps) {
  const [scale, setScale] = useState<ScaleChoice>("")
  const { name, shows } = experiment
  const machine = machineLine(version)
  // "?" stands for values that were not measured, as in a quick run.
  const found = running ? "?" : (shows?.found(figures) ?? "?")
  return (
    <section aria-label={name}>
      <p className="bench-machine">{machine}</p>
      {shows && (
        <dl className="bench-story" lang="en">
          <dt>{texts.paper}</dt>
          <dd>{shows.paper}</dd>
          {!found.includes("?") && (
            <>
              <dt>{texts.found}</dt>
              <dd>{found}</dd>
            </>
          )}
          <dt>{texts.why}</dt>
          <dd>{shows.why}</dd>
        </dl>
      )}
      <SelectField label={texts.scale} value={scale} onValue={(chosen) => setScale(chosen as ScaleChoice)}>
        <option value="">{texts.scaleOwn}</option>
        <option value="log">{texts.log}</option>
        <option value="linear">{texts.linear}</option>
      </SelectField>
      <p className="hint">{texts.legend}</p>
      {plotsOf(experiment, figures).map((plot) => (
        <PlotView key={plot.title} plot={plot} figures={figures} scale={scale} name={name} />
      ))}
      <div className="bench-buttons" role="group" aria-label={texts.exports}>
        <button
          type="button"
          className="button"
          disabled={running}
          onClick={() => save(new Blob([csvOf(figures)], { type: "text/csv" }), `${name}.csv`)}
        >
          CSV
        </button>
        <button
          type="button"
          className="button"
          disabled={running}
          onClick={() => {
            // The tag of the release, which names a commit. The build knows no other one.
            const json = jsonOf({ experiment: name, machine, commit: `v${version}`, quick, figures })
            save(new Blob([json], { type: "application/json" }), `${name}.json`)
          }}
        >
          JSON
        </button>
      </div>
      <FigureTable figures={figures} />
    </section>
  )
}

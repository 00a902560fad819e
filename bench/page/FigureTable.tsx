import type { Figure } from "../src/experiment/figure.ts"
import { texts } from "./texts.ts"

export function FigureTable({ figures }: { readonly figures: readonly Figure[] }) {
  return (
    <details>
      <summary>{texts.table}</summary>
      <div className="bench-scroll" tabIndex={0} role="region" aria-label={texts.table}>
        <table>
          <thead>
            <tr>
              <th scope="col">{texts.what}</th>
              <th scope="col">{texts.median}</th>
              <th scope="col">{texts.range}</th>
              <th scope="col">{texts.unit}</th>
              <th scope="col">{texts.runs}</th>
            </tr>
          </thead>
          <tbody lang="en">
            {figures.map((figure, i) => (
              <tr key={i}>
                <th scope="row">{whatOf(figure)}</th>
                <td>{figure.median}</td>
                <td>
                  {figure.min} – {figure.max}
                </td>
                <td>{figure.unit}</td>
                <td>{figure.runs}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}

function whatOf({ module, event, change, n, network, metric }: Figure): string {
  const size = n === undefined ? undefined : `n=${n}`
  return [module, event, change === undefined ? undefined : `of ${change}`, size, network, metric]
    .filter((part) => part !== undefined)
    .join(" ")
}

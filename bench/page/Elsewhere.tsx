import { ONLY_FROM_TERMINAL } from "../src/only-from-terminal.ts"
import { texts } from "./texts.ts"
import { withCode } from "./with-code.tsx"

/** Lists the experiments that do not run in a page, each with the reason. */
export function Elsewhere() {
  return (
    <details>
      <summary>{texts.elsewhere}</summary>
      <p>{withCode(texts.elsewhereHow)}</p>
      <dl className="bench-story" lang="en">
        {Object.entries(ONLY_FROM_TERMINAL).map(([name, why]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{why}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

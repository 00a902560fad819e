import type { FormEvent } from "react"
import type { Experiment, ModuleName } from "../src/experiment/experiment.ts"
import { experimentsOfPage } from "./experiments.ts"
import { CheckField, NumbersField, SelectField } from "./fields.tsx"
import { type Choice, NETWORKS } from "./request.ts"
import { filled, texts } from "./texts.ts"

type ChooserProps = {
  readonly experiment: Experiment
  readonly onExperiment: (experiment: Experiment) => void
  readonly choice: Choice
  /** Takes the changes as a function of the present choice. */
  readonly onChoice: (changed: (before: Choice) => Partial<Choice>) => void
  readonly problem: string | null
  readonly running: boolean
  readonly onStart: () => void
  readonly onStop: () => void
}

export function Chooser(props: ChooserProps) {
  const { experiment, onExperiment, problem, running, onStart, onStop } = props

  function submit(event: FormEvent): void {
    event.preventDefault()
    onStart()
  }

  return (
    <form className="bench-form" onSubmit={submit} noValidate>
      <SelectField
        label={texts.experiment}
        value={experiment.name}
        disabled={running}
        onValue={(chosen) => onExperiment(experimentsOfPage.find(({ name }) => name === chosen)!)}
      >
        {experimentsOfPage.map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
      </SelectField>
      <p className="bench-about" lang="en">
        {experiment.about}
      </p>
      <Choices {...props} />
      {problem !== null && (
        <p className="field-error" role="alert">
          {problem}
        </p>
      )}
      <div className="bench-buttons">
        <button type="submit" className="button primary" disabled={running}>
          {texts.start}
        </button>
        <button type="button" className="button" disabled={!running} onClick={onStop}>
          {texts.stop}
        </button>
      </div>
    </form>
  )
}

function Choices({ experiment, choice, onChoice, running }: ChooserProps) {
  const { takes } = experiment
  return (
    <>
      {takes.modules && (
        <fieldset className="bench-modules">
          <legend>{texts.modules}</legend>
          {takes.modules.map((name) => (
            <CheckField
              key={name}
              label={name}
              checked={choice.modules.includes(name)}
              disabled={running}
              onChecked={() => onChoice((before) => ({ modules: toggled(before.modules, name) }))}
            />
          ))}
        </fieldset>
      )}
      {takes.sizes && (
        <NumbersField
          label={texts.sizes}
          hint={filled(texts.sizesHint, takes.sizes)}
          value={choice.sizes}
          disabled={running}
          onValue={(sizes) => onChoice(() => ({ sizes }))}
        />
      )}
      {takes.network && (
        <SelectField
          label={texts.network}
          value={choice.network}
          disabled={running}
          onValue={(network) => onChoice(() => ({ network }))}
        >
          <option value="">{texts.networkAll}</option>
          {NETWORKS.map((network) => (
            <option key={network} value={network}>
              {networkText(network)}
            </option>
          ))}
        </SelectField>
      )}
      <NumbersField
        label={texts.runs}
        hint={texts.runsHint}
        value={choice.runs}
        disabled={running}
        onValue={(runs) => onChoice(() => ({ runs }))}
      />
      <CheckField
        label={texts.quick}
        checked={choice.quick}
        disabled={running}
        onChecked={() => onChoice((before) => ({ quick: !before.quick }))}
      />
    </>
  )
}

function toggled(modules: readonly ModuleName[], name: ModuleName): readonly ModuleName[] {
  return modules.includes(name) ? modules.filter((one) => one !== name) : [...modules, name]
}

function networkText(network: string): string {
  if (network === "lan") return texts.networkLan
  return network === "wan" ? texts.networkWan : filled(texts.roundTrip, { ms: network })
}

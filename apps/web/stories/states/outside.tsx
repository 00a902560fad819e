import type { ConferencePreview, Member } from "@keymoot/core"
import { t } from "i18next"
import { showRefusal } from "../../src/embed/embedding.tsx"
import { EvidenceView } from "../../src/evidence/EvidenceView.tsx"
import { VerifyPage } from "../../src/evidence/VerifyPage.tsx"
import type { Problem } from "../../src/problem.ts"
import EarlyScreen from "../../src/schedule/EarlyScreen.tsx"
import { EnterScreen } from "../../src/screens/EnterScreen.tsx"
import { InsecureScreen } from "../../src/screens/InsecureScreen.tsx"
import { NowhereScreen } from "../../src/screens/NowhereScreen.tsx"
import { ProblemScreen } from "../../src/screens/ProblemScreen.tsx"
import { StartScreen } from "../../src/screens/StartScreen.tsx"
import type { Preview } from "../../src/screens/usePreview.ts"
import { WorkingScreen } from "../../src/screens/WorkingScreen.tsx"
import { type Remains, remainsOf } from "../../src/session/remains.ts"
import { Brand } from "../../src/ui/Brand.tsx"
import { ScreenTitle } from "../../src/ui/ScreenTitle.tsx"
import { AT_MS } from "../diagnostics.ts"
import { inventEngine } from "../engine.ts"
import { evidence } from "../evidence.ts"
import { FEW, LONG, personNamed, RTL } from "../people.ts"
import { appOf, nothing, sessionOf, type States } from "../scenes.tsx"
import { talk } from "../talk.ts"

/** The screens before and after a conference. */
export const outside: States = {
  start: () => start(),
  "start after a failure": () => start("server-unreachable"),
  entering: () => invited({}),
  "entering, verified": () => invited({ verified: true }, { policy: "roster", people: FEW.map(personNamed) }),
  "entering, another key": () => invited({ changedKey: true }, { policy: "approval" }),
  "entering, ended early": () => invited({}, undefined, null, AT_MS + 3_600_000),
  "entering, unknown yet": () => entering({ kind: "looking" }),
  "not on the guest list": () => invited({}, { policy: "roster", people: FEW.map(personNamed) }, "not-admitted"),
  "not open yet": () => (
    <EarlyScreen
      opensAtMs={Date.UTC(2031, 0, 15, 9, 30)}
      invited={{
        id: "5",
        title: "",
        url: "https://meet.example/c/5#s",
        opensAtMs: AT_MS,
        endsAtMs: AT_MS,
        policy: "approval",
      }}
      onEnter={nothing}
      onStart={nothing}
    />
  ),
  joining: () => <WorkingScreen what="joining" />,
  "conference over": () => problem("conference-over", true, remains()),
  "removed by a host": () => problem("removed", false, { ...remains(), board: null }),
  "refused by a host": () => problem("refused", false, null, `Only the committee today. ${RTL}`),
  "wrong link": () => problem("invalid-link", false),
  "unknown conference": () => problem("unknown-conference", false),
  "expired link": () => entering({ kind: "failed", problem: "conference-over" }, LONG),
  "damaged link": () => entering({ kind: "failed", problem: "invalid-link" }),
  "link to another conference": () => entering({ kind: "failed", problem: "descriptor-mismatch" }),
  "no such page": () => <NowhereScreen onStart={nothing} />,
  "plain http": () => <InsecureScreen arrival={{ kind: "start" }} location={new URL("http://meet.example:8080/")} />,
  "link for another browser profile": () => problem("no-invitation", false),
  "not on the list": () => problem("not-admitted", false),
  "return without the server": () => (
    <ProblemScreen
      problem="server-unreachable"
      onCopy={nothing}
      onServerBack={nothing}
      onRetry={nothing}
      onStart={nothing}
    />
  ),
  "no storage": () => problem("storage-unavailable"),
  verify: () => <VerifyPage />,
  evidence: () => (
    <main className="page">
      <div className="card evidence">
        <Brand />
        <ScreenTitle>{t("evidence.title")}</ScreenTitle>
        <EvidenceView evidence={evidence} />
      </div>
    </main>
  ),
  "frame refused": () => {
    const root = document.createElement("div")
    document.body.prepend(root)
    showRefusal(root)
    return null
  },
}

function start(failure: Problem | null = null) {
  inventEngine()
  const screen = { kind: "start", problem: failure, options: null } as const
  return <StartScreen app={appOf(screen, "Ada")} problem={failure} options={null} lastName="Ada" />
}

function problem(which: Problem, retry = true, left: Remains | null = null, reason: string | null = null) {
  return (
    <ProblemScreen problem={which} remains={left} reason={reason} onRetry={retry ? nothing : null} onStart={nothing} />
  )
}

/** The content of a conference with messages and drawings. */
function remains(): Remains {
  const session = sessionOf({ names: FEW }, (story, opened) => {
    opened.boardWriter.set(() => "{}")
    talk(story)
  })
  return remainsOf(session)!
}

function entering(preview: Preview, lastName = "", failure: Problem | null = null) {
  return (
    <EnterScreen
      preview={preview}
      problem={failure}
      lastName={lastName}
      onJoin={nothing}
      onIdentity={nothing}
      onFinal={nothing}
      onInstead={nothing}
    />
  )
}

function invited(
  creator: Partial<ConferencePreview["creator"]>,
  admission: ConferencePreview["admission"] = { policy: "link" },
  failure: Problem | null = null,
  endedAtMs: number | null = null,
) {
  inventEngine()
  const id = "0".repeat(32) as Member["id"]
  const preview: ConferencePreview = {
    id: "5".repeat(32),
    title: `The roof, and what became of it: ${RTL}`,
    timeFrame: { opensAtMs: AT_MS, endsAtMs: AT_MS + 86_400_000, latestEndMs: AT_MS + 172_800_000 },
    endedAtMs,
    admission,
    history: "everything",
    keyAgreement: "tgdh",
    creator: { id, name: LONG, self: false, verified: false, changedKey: false, ...creator },
  }
  return entering({ kind: "seen", preview }, failure === null ? "" : "Ada", failure)
}

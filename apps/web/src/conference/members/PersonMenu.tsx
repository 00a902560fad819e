import type { Member, Role } from "@keymoot/core"
import { Ellipsis, Eye, EyeOff, ShieldCheck } from "lucide-react"
import { DropdownMenu } from "radix-ui"
import { useRef, useState } from "react"
import { useTranslation } from "react-i18next"
import { MuteItems } from "../../call/MuteItems.tsx"
import { HostItems } from "../../hosts/HostItems.tsx"
import { RemoveDialog } from "../../hosts/RemoveDialog.tsx"
import { isOwnDevice } from "../../people/peopleOrder.ts"
import type { Session } from "../../session/session.ts"
import { useStore } from "../../store.ts"
import { Failure } from "../../ui/feedback/Failure.tsx"
import { useFocusBack } from "../../ui/useFocusBack.ts"

type PersonMenuProps = { readonly session: Session; readonly member: Member }

/** All actions on another person, behind one button: a row has room for a name and little else. */
export function PersonMenu({ session, member }: PersonMenuProps) {
  const { t } = useTranslation()
  const { handle } = session
  const following = useStore(session.following) === member.id
  const self = useStore(session.view).members.find((other) => other.self)
  const isHost = self?.role === "host" && handle.keyAgreement !== "majority"
  const [failed, setFailed] = useState(false)
  const [asking, setAsking] = useState(false)
  const { id, name, verified } = member
  const isOwn = isOwnDevice(member, handle.self)
  const removing = useRef(false)
  useFocusBack(peopleTitle, true)
  // The dialog closes first: then nothing has the focus when the person goes.
  useFocusBack(() => (removing.current ? peopleTitle() : null))

  function act(doing: Promise<void>): void {
    setFailed(false)
    setAsking(false)
    doing.catch(() => {
      removing.current = false
      setFailed(true)
    })
  }

  function remove(): void {
    removing.current = true
    act(handle.remove(id))
  }

  return (
    <>
      {/* Not modal, and in place: a screen reader finds it within the landmark where it was opened. */}
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger className="icon-button" aria-label={t("people.more", { name })}>
          <Ellipsis aria-hidden />
        </DropdownMenu.Trigger>
        <DropdownMenu.Content className="popover menu" align="end" collisionPadding={8}>
          {!isOwn && (
            <DropdownMenu.Item className="menu-item" onSelect={() => session.verifying.set(id)}>
              <ShieldCheck aria-hidden /> {verified ? t("people.codes") : t("people.verify")}
            </DropdownMenu.Item>
          )}
          <DropdownMenu.Item className="menu-item" onSelect={() => session.following.set(following ? null : id)}>
            {following ? <EyeOff aria-hidden /> : <Eye aria-hidden />}{" "}
            {following ? t("board.unfollow") : t("board.follow")}
          </DropdownMenu.Item>
          {isHost && <MuteItems session={session} member={member} onAsk={act} />}
          {isHost && !isOwn && (
            <HostItems
              member={member}
              authenticity={handle.authenticity}
              onRole={(role: Role) => act(handle.setRole(id, role))}
              onRemove={() => setAsking(true)}
            />
          )}
        </DropdownMenu.Content>
      </DropdownMenu.Root>
      {failed && <Failure text={t("hosts.failed")} />}
      <RemoveDialog name={name} open={asking} onOpen={setAsking} onRemove={remove} />
    </>
  )
}

/** Has the focus when a person goes whose row had it. */
function peopleTitle(): HTMLElement | null {
  return document.querySelector(".people > .panel-lead")
}

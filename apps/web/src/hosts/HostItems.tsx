import type { Authenticity, Member, Role } from "@keymoot/core"
import { Check, UserX } from "lucide-react"
import { DropdownMenu } from "radix-ui"
import { useTranslation } from "react-i18next"

const ROLES: readonly Role[] = ["host", "editor", "viewer"]

type RoleItemsProps = {
  readonly member: Member
  /** Without signatures a viewer's updates cannot be distinguished from an editor's. */
  readonly authenticity: Authenticity
  readonly onRole: (role: Role) => void
}
type HostItemsProps = RoleItemsProps & {
  /** Asks for confirmation. */
  readonly onRemove: () => void
}

/** A host's actions on another member, as items of that member's menu: those that the host's rank allows. */
export function HostItems({ member, onRemove, ...roles }: HostItemsProps) {
  const { t } = useTranslation()
  const { name, mayRemove, maySetRole } = member
  return (
    <>
      <DropdownMenu.Separator className="menu-line" />
      {maySetRole ? (
        <RoleItems member={member} {...roles} />
      ) : (
        <DropdownMenu.Label className="menu-label">
          {mayRemove ? t("hosts.roleOfHigher") : t("hosts.higher", { name })}
        </DropdownMenu.Label>
      )}
      {mayRemove && (
        <>
          <DropdownMenu.Separator className="menu-line" />
          <DropdownMenu.Item className="menu-item danger" onSelect={onRemove}>
            <UserX aria-hidden /> {t("hosts.remove")}
          </DropdownMenu.Item>
        </>
      )}
    </>
  )
}

function RoleItems({ member: { role }, authenticity, onRole }: RoleItemsProps) {
  const { t } = useTranslation()
  return (
    <>
      <DropdownMenu.Label className="menu-label" aria-hidden>
        {t("hosts.role")}
      </DropdownMenu.Label>
      <DropdownMenu.RadioGroup
        aria-label={t("hosts.role")}
        value={role}
        onValueChange={(value) => onRole(ROLES.find((each) => each === value) ?? role)}
      >
        {ROLES.filter((each) => each !== "viewer" || authenticity === "signature").map((each) => (
          <DropdownMenu.RadioItem key={each} value={each} className="menu-item">
            <span className="menu-mark">
              <DropdownMenu.ItemIndicator asChild>
                <Check aria-hidden />
              </DropdownMenu.ItemIndicator>
            </span>
            {t(`hosts.roles.${each}`)}
          </DropdownMenu.RadioItem>
        ))}
      </DropdownMenu.RadioGroup>
    </>
  )
}

import type { Authenticity, Member, Role } from "@keymoot/core"
import { Check, UserX } from "lucide-react"
import { DropdownMenu } from "radix-ui"
import { useTranslation } from "react-i18next"

const ROLES: readonly Role[] = ["host", "editor", "viewer"]

type HostItemsProps = {
  readonly member: Member
  /** Without signatures nobody can tell what a viewer sends from what an editor does. */
  readonly authenticity: Authenticity
  readonly onRole: (role: Role) => void
  /** It is to be asked whether that is meant. */
  readonly onRemove: () => void
}

/** What a host can do with another member, as items of that member's menu. */
export function HostItems({ member: { role }, authenticity, onRole, onRemove }: HostItemsProps) {
  const { t } = useTranslation()
  return (
    <>
      <DropdownMenu.Separator className="menu-line" />
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
      <DropdownMenu.Separator className="menu-line" />
      <DropdownMenu.Item className="menu-item danger" onSelect={onRemove}>
        <UserX aria-hidden /> {t("hosts.remove")}
      </DropdownMenu.Item>
    </>
  )
}

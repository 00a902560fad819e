import type { KeyStructure } from "@keymoot/core"
import { useMemo } from "react"
import { useTranslation } from "react-i18next"
import { colourOnPage } from "../conference/colours.ts"
import { MemberName } from "../conference/members/MemberName.tsx"
import { colourOf } from "../session/colours.ts"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import { describeStructure } from "./describe.ts"
import { pictureOf } from "./layout.ts"

type KeyPictureProps = { readonly session: Session; readonly structure: KeyStructure; readonly epoch: number }

/**
 * The structure of the key as a picture, with the members beside it in the same rows. Parts that the last change
 * renewed are marked.
 */
export function KeyPicture({ session, structure, epoch }: KeyPictureProps) {
  const { t, i18n } = useTranslation()
  const colours = useStore(session.colours)
  const { members } = useStore(session.view)
  const { width, height, lines, dots, rows } = useMemo(() => pictureOf(structure), [structure])
  return (
    <>
      <div className="key-picture">
        <svg
          // A new epoch is a new picture: its animation restarts.
          key={epoch}
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          role="img"
          aria-label={describeStructure(structure, t, i18n.language)}
        >
          {lines.map(({ path, isNew }) => (
            <path key={path} className="key-line" data-new={isNew} d={path} />
          ))}
          {dots.map(({ x, y, isNew, member }) => (
            <circle
              key={`${x} ${y}`}
              className={member ? "key-member" : "key-node"}
              data-new={isNew}
              cx={x}
              cy={y}
              r={member ? 6 : 5}
              style={member ? { fill: colourOnPage(colourOf(colours, member.id)) } : undefined}
            />
          ))}
        </svg>
        <ul className="plain-list key-rows" aria-label={t("security.members")}>
          {rows.map(({ member, isNew }) => (
            <li key={member.id} data-new={isNew}>
              <MemberName session={session} member={members.find(({ id }) => id === member.id) ?? member} />
            </li>
          ))}
        </ul>
      </div>
      <p className="hint key-legend">
        <span className="key-legend-mark" aria-hidden />{" "}
        {t(structure.kind === "quorum" ? "keyPicture.contributed" : "keyPicture.new")}
      </p>
      <p className="hint">{t(`keyPicture.about.${structure.kind}`)}</p>
    </>
  )
}

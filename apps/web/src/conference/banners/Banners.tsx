import { CloudOff, Download, FileWarning, HardDrive, Radar } from "lucide-react"
import { useTranslation } from "react-i18next"
import { PictureNews } from "../../board/pictures/PictureNews.tsx"
import { WaitingForPeople } from "../../roster/WaitingForPeople.tsx"
import { ApartBanners } from "./ApartBanners.tsx"
import { EndBanner } from "../../ending/EndBanner.tsx"
import { FollowingBanner } from "./Following.tsx"
import { MentionBanner } from "../../attention/MentionBanner.tsx"
import { MyNewRole } from "../../attention/MyNewRole.tsx"
import { OfferNotices } from "../../attention/OfferNotices.tsx"
import { CallBanner } from "../../call/CallBanner.tsx"
import { Hands } from "./Hands.tsx"
import { OfflineBanner, useOffline } from "./OfflineBanner.tsx"
import { OtherVersions } from "./OtherVersions.tsx"
import { TimerPill } from "../../tools/timer/TimerPill.tsx"
import { PollBanner } from "../../tools/votes/PollBanner.tsx"
import { TryNow } from "./TryNow.tsx"
import { AloneBanner } from "../../invite/AloneCard.tsx"
import { KnockBanner } from "../../hosts/KnockBanner.tsx"
import { NoHost } from "../../hosts/NoHost.tsx"
import { Unvouched } from "../../hosts/Unvouched.tsx"
import { UpdateBanner } from "../../pwa/UpdateNote.tsx"
import type { Session } from "../../session/session.ts"
import { useStore } from "../../store.ts"
import { DismissButton } from "../../ui/feedback/DismissButton.tsx"

type BannersProps = {
  readonly session: Session
  /** The side panel says how to invite people. */
  readonly drawerOpen: boolean
}

/** The role alone would have a screen reader repeat all banners with each new one. */
export function Banners({ session, drawerOpen }: BannersProps) {
  const { t } = useTranslation()
  const { status } = useStore(session.view)
  const server = useStore(session.server)
  const storage = useStore(session.storage)
  const receiving = useStore(session.receiving)
  const offline = useOffline(session)
  const late = useStore(session.late)
  return (
    <div className="banners">
      <TimerPill session={session} />
      <div className="banners-said" role="status" aria-atomic="false">
        <EndBanner session={session} />
        {!drawerOpen && <AloneBanner session={session} />}
        {offline && <OfflineBanner session={session} />}
        <UpdateBanner />
        <OtherVersions session={session} />
        {server === "down" && !offline && (
          <p className="banner">
            <CloudOff aria-hidden /> <span>{t("banner.serverDown")}</span>
            <TryNow session={session} />
          </p>
        )}
        {receiving && (
          <p className="banner">
            <Download aria-hidden /> {t("banner.receiving", { name: receiving.from.name })}{" "}
            <progress max={100} value={receiving.percent} aria-label={t("banner.receivingProgress")} />
          </p>
        )}
        {storage === "failing" && (
          <p className="banner">
            <HardDrive aria-hidden /> {t("banner.storageFailing")}
          </p>
        )}
        <PictureNews session={session} />
        <BoardUnsent session={session} />
        <FollowingBanner session={session} />
        <MentionBanner session={session} />
        <MyNewRole session={session} />
        <Hands session={session} />
        <CallBanner session={session} />
        <PollBanner session={session} />
        <WaitingForPeople session={session} />
        <KnockBanner session={session} />
        <OfferNotices session={session} />
        <Unvouched session={session} />
        <NoHost session={session} />
        <ApartBanners session={session} offline={offline} />
        {late && !offline && (
          <p className="banner">
            <Radar aria-hidden /> <span>{t("ending.asking")}</span>
          </p>
        )}
        {status === "joining" && !offline && !late && (
          <p className="banner">
            <Radar aria-hidden />
            <span>
              {t("banner.joining")} {t("banner.joiningHint")}
            </span>
            <TryNow session={session} />
          </p>
        )}
      </div>
    </div>
  )
}

function BoardUnsent({ session: { boardUnsent, boardUnshared } }: { readonly session: Session }) {
  const { t } = useTranslation()
  const count = useStore(boardUnshared)
  return (
    <>
      {useStore(boardUnsent) && <Unsent onHide={() => boardUnsent.set(false)}>{t("banner.boardUnsent")}</Unsent>}
      {count > 0 && <Unsent onHide={() => boardUnshared.set(0)}>{t("banner.boardUnshared", { count })}</Unsent>}
    </>
  )
}

function Unsent({ onHide, children }: { readonly onHide: () => void; readonly children: string }) {
  const { t } = useTranslation()
  return (
    <p className="banner">
      <FileWarning aria-hidden /> <span>{children}</span>
      <DismissButton label={t("banner.hide")} onClick={onHide} />
    </p>
  )
}

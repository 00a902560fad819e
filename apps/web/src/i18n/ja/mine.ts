import type { TextsWithoutOne } from "../plurals.ts"

export const mine: TextsWithoutOne["mine"] = {
  title: "マイ会議",
  hint: "まだ退出していない会議です。このブラウザを使う人は誰でも、あなたとして会議に戻れます。一覧はこの端末だけにあります。会議は、終わったあとも、退出するかここで消去するまで残ります。",
  none: "会議はありません。",
  count_other: "会議{{count}}件",
  with: "{{names}}さんと",
  untitled: "{{time}}の会議",
  entered: "参加開始：{{time}}",
  opens: "開始：{{time}}",
  ends: "{{time}}まで",
  ended: "{{time}}に終了",
  return: "{{name}}に戻る",
  forget: "{{name}}を消去",
  forgetAll: "すべて消去",
  forgetHint_other: "会議{{count}}件をこの端末から完全に消去しますか？ほかにコピーがないかもしれません。",
  keep: "残す",
  forgetNow: "完全に消去",
}

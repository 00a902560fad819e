import type { TextsWithoutOne } from "../plurals.ts"

export const files: TextsWithoutOne["files"] = {
  attach: "ファイルを共有",
  limit: "ファイルは1個512 MBまでです。",
  drop: "ここにドロップすると、会議の全員にだけ共有されます。",
  dropPicture: "画像をホワイトボードにドロップすると、そこに置かれます。大きな画像は縮小されます。",
  picture: "画像：{{name}}",
  openPicture: "拡大表示",
  save: "保存",
  saveNamed: "{{name}}を保存",
  here: "この端末にあり",
  kept: "{{size}}受信済み",
  progress: "{{name}}をダウンロード中",
  percent: "{{percent}}%",
  waiting: "このファイルを持つ人を待っています。",
  cancel: "キャンセル",
  cancelNamed: "{{name}}をキャンセル",
  preparing: "{{name}}を準備中",
  notShared: "{{name}}は共有されませんでした。",
  notSharedMore_other: "{{name}}とほか{{count}}個のファイルは共有されませんでした。",
  deleteHint: "誰もダウンロードできなくなり、すべての端末でこの会議から消えます。すでに保存した人の手元には残ります。",
  inChat: "[ファイル：{{name}}]",
}

/** The page with the reference for people to read. Everything that it does is in the scripts. */
export const pageText = (scripts: readonly string[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Project API reference</title>
<link rel="icon" href="data:,">
</head>
<body>
<div id="reference"></div>
<noscript>This page needs JavaScript. The same in JSON is at <a href="/rest/v1/">/rest/v1/</a>.</noscript>
${scripts.map((path) => `<script src="${path}"></script>`).join('\n')}
</body>
</html>
`

/** The script that puts the reference of a document into the page. */
export const startText = (documentPath: string): string =>
  `Scalar.createApiReference('#reference', ${JSON.stringify({ url: documentPath, ...configuration })})\n`

/** Nothing leaves the page: no proxy, no fonts from elsewhere, no telemetry, no assistant. */
const configuration = {
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  // The API refuses secrets that a browser sends, so that trying it out from here could only fail.
  hideTestRequestButton: true,
  hideClientButton: true,
  persistAuth: false,
  defaultOpenAllTags: true,
  authentication: { preferredSecurityScheme: [['apikey', 'bearer', 'secret']] },
  documentDownloadType: 'json',
  customCss:
    ':root { --scalar-font: system-ui, sans-serif; --scalar-font-code: ui-monospace, "Cascadia Mono", Menlo, monospace }',
}

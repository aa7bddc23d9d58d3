import { errorsSection } from './errors-section.ts'
import { type Html, html, type Piece } from './html.ts'
import { chaptersOf, inline } from './markdown.ts'
import type { Document } from './openapi-types.ts'
import { codeBlock, entryList, methodBadge, type Section, sectionOf } from './parts.ts'
import { idOf, type Reference, readDocument, schemeId } from './read-document.ts'
import { resourceSections } from './resource-sections.ts'
import { clientSample } from './samples.ts'
import { sharedSections } from './shared-sections.ts'
import { webhooksSection } from './webhooks-section.ts'

/** The built files that the page needs; none where nothing is built yet, and then it can still be read. */
export interface PageFiles {
  readonly icon: string | null
  readonly styles: string | null
  readonly firstPaint: string | null
  readonly script: string | null
}

/** Where the same is in JSON. */
const documentPath = '/rest/v1/'

/** The reference for people to read, made from the document that programs read. */
export function referencePageText(document: Document, files: PageFiles): string {
  const reference = readDocument(document)
  const blocks: readonly Block[] = [
    { title: 'Getting started', sections: startSections(reference) },
    { title: 'Resources', sections: [...resourceSections(reference), ...webhooksSection(reference)] },
    { title: 'For all resources', sections: sharedSections(reference) },
    { title: 'Errors', sections: [errorsSection(reference)] },
  ]
  return pageOf(reference, blocks, files).text
}

interface Block {
  readonly title: string
  readonly sections: readonly Section[]
}

function startSections({ info, components, serverUrl }: Reference): Section[] {
  const schemes = entryList(
    Object.entries(components.securitySchemes).map(([id, { name = 'Authorization', description }]) => ({
      ...{ id: schemeId(id), kind: 'Request header', title: name, body: html`<p>${inline(description)}</p>` },
    })),
  )
  const client = html`${schemes}
<p>Owners and developers of a company create a key and its secret on the page <a href="/credentials">Credentials</a>. The examples below take them from the
environment: <code>$PROJECT_API_KEY</code> and <code>$PROJECT_API_SECRET</code>. Those with supabase-js use this client:</p>
${codeBlock('supabase-js', clientSample(serverUrl), 'the client')}`
  return chaptersOf(info.description, 'Introduction').map(({ title, body }) => {
    const more = title === 'Authentication' ? client : null
    return { id: idOf(title), title, body: [body, more] }
  })
}

const pageOf = (
  { info }: Reference,
  blocks: readonly Block[],
  { icon, styles, firstPaint, script }: PageFiles,
): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>API reference · ${info.title}</title>
<link rel="icon" href="${icon ?? 'data:,'}">
${firstPaint !== null && html`<script src="${firstPaint}"></script>`}
${styles !== null && html`<link rel="stylesheet" href="${styles}">`}
${script !== null && html`<script type="module" src="${script}"></script>`}
</head>
<body>
<a class="skip-link" href="#content">Skip to the content</a>
<header class="top">
<button class="plain menu-button needs-script" type="button" aria-expanded="false" aria-controls="navigation">Menu</button>
<a class="logo" href="/"><svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#4263eb"/><path class="logo-line" d="M9 22V10h7.5a4 4 0 0 1 0 8H13m7 4 4-4"/></svg><span class="logo-name">${info.title}</span></a>
<div class="search needs-script" role="search">
<input type="search" role="combobox" aria-label="Search the reference" placeholder="Search: parameters, operations, errors" aria-expanded="false" aria-controls="found" aria-autocomplete="list" autocomplete="off" spellcheck="false">
<ul id="found" role="listbox" aria-label="Found" hidden></ul>
<p class="visually-hidden" role="status"></p>
</div>
<button class="plain theme-button needs-script" type="button"><svg width="18" height="18" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="9"/><path d="M12 3a9 9 0 0 1 0 18z"/></svg><span></span></button>
<a class="settings-link" href="/">Settings</a>
</header>
<nav id="navigation" aria-label="Reference">${blocks.map(navigationOf)}</nav>
<main id="content" tabindex="-1">
<h1>API reference</h1>
<p class="about">${info.title} ${info.version} · <a href="${documentPath}">OpenAPI document (JSON)</a></p>
${blocks.map(({ sections }) => sections.map(sectionOf))}
</main>
</body>
</html>
`

const navigationOf = ({ title, sections }: Block): Piece => html`
<p class="navigation-title">${title}</p>
<ul>${sections.map(
  ({ id, title: name, parts = [] }) => html`<li><a class="nav-link" href="#${id}">${name}</a>
${parts.length > 0 && html`<ul>${parts.map((part) => html`<li><a class="nav-link" href="#${part.id}">${part.title}${part.method && methodBadge(part.method)}</a></li>`)}</ul>`}</li>`,
)}</ul>`

import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './styles.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { Notifications } from './later-pages.ts'
import { guardDoubleClicks } from './parts/click-guard.ts'
import { queries } from './queries.ts'
import { cssVariables, theme } from './theme.ts'

const nonce = document.querySelector('meta[name="style-nonce"]')?.getAttribute('content') ?? ''
// What stops the page from scrolling behind a dialog writes a style sheet, and looks here for the nonce.
Object.assign(globalThis, { __webpack_nonce__: nonce })

guardDoubleClicks()

const root = document.getElementById('app')
if (root)
  createRoot(root).render(
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queries}>
        <Suspense>
          <Notifications position="bottom-center" autoClose={5000} />
        </Suspense>
        <App />
      </QueryClientProvider>
    </MantineProvider>,
  )

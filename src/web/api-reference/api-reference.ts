import './api-reference.css'
import { startCopying } from './copy.ts'
import { startMenu } from './menu.ts'
import { markPosition } from './position.ts'
import { startSearch } from './search.ts'
import { startTheme } from './theme.ts'
import { startTrying } from './try-it.ts'

// The page at /docs can be read without this script: it is HTML. What needs the script is hidden without it.
showOrigin()
startTheme()
startMenu()
startCopying()
startSearch()
markPosition()
startTrying()

/** Where the server does not know its address, the examples stand with one that is the browser's to know. */
function showOrigin(): void {
  for (const code of document.querySelectorAll('pre'))
    code.textContent = code.textContent.replaceAll('https://api.example.com', location.origin)
}

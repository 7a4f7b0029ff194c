// Package include holds the C header, so that vendoring keeps it.
package include

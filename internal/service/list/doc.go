// Package list answers lists: descriptors, parameters, cursors, pages, and the relations that are read for many records
// at once.
package list

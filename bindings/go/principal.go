package aura

import (
	"encoding/json"
	"unicode/utf8"
)

// Principal is who asks. Empty fields are those of the default agent of the default tenant.
type Principal struct {
	// Tenant is the isolation boundary.
	Tenant string
	// Agent is the agent that asks.
	Agent string
	// User is the user on whose behalf it asks.
	User string
	// Labels are the labels it holds.
	Labels []string
}

// labels are the labels as JSON, in which half an emoji must not be mended.
func (principal *Principal) labels() (string, error) {
	if principal == nil || len(principal.Labels) == 0 {
		return "", nil
	}
	return ids("labels", principal.Labels)
}

// ids are identifiers as a JSON array.
func ids(field string, given []string) (string, error) {
	if len(given) == 0 {
		return "", nil
	}
	for _, id := range given {
		if !utf8.ValidString(id) {
			return "", invalid(field, "is not UTF-8")
		}
	}
	return encode(field, given)
}

// encode is a value as JSON.
func encode(field string, value any) (string, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return "", &Error{Code: CodeInvalid, Msg: field + ": " + err.Error(), Field: field, cause: err}
	}
	return string(text), nil
}

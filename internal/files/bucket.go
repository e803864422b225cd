package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// bucket stores files in a bucket of an S3-compatible store, under a prefix.
type bucket struct {
	client         *minio.Client
	bucket, prefix string
}

const defaultEndpoint = "https://s3.amazonaws.com"

func openBucket(address string) (*bucket, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return nil, errors.New("the bucket address must be s3://BUCKET/PREFIX?endpoint=https://HOST&region=REGION")
	}
	if u.User != nil {
		return nil, errors.New("the bucket address must not contain credentials: " +
			"set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")
	}
	q := u.Query()
	for name := range q {
		if name != "endpoint" && name != "region" {
			return nil, fmt.Errorf("unknown parameter %q in the bucket address: only endpoint and region are supported", name)
		}
	}
	at := q.Get("endpoint")
	if at == "" {
		at = defaultEndpoint
	}
	endpoint, err := url.Parse(at)
	if err != nil || endpoint.Host == "" || endpoint.User != nil ||
		endpoint.Scheme != "https" && endpoint.Scheme != "http" {
		return nil, errors.New("the bucket endpoint must be https://HOST or http://HOST")
	}
	client, err := minio.New(endpoint.Host, &minio.Options{
		Creds: credentials.NewChainCredentials([]credentials.Provider{
			&credentials.EnvAWS{}, &credentials.IAM{Client: &http.Client{Timeout: 10 * time.Second}},
		}),
		Secure: endpoint.Scheme == "https", Region: q.Get("region"),
	})
	if err != nil {
		return nil, err
	}
	b := &bucket{client: client, bucket: u.Host}
	if prefix := strings.Trim(u.Path, "/"); prefix != "" {
		b.prefix = prefix + "/"
	}
	return b, nil
}

func (b *bucket) spool() string { return "" }

func (b *bucket) keep(ctx context.Context, key, from string, size int64, media string) error {
	f, err := os.Open(from) //nolint:gosec // the spool's own
	if err != nil {
		return err
	}
	defer func() { _ = f.Close(); _ = os.Remove(from) }()
	// A single request with a known length works with every S3-compatible store.
	_, err = b.client.PutObject(ctx, b.bucket, b.prefix+key, f, size, minio.PutObjectOptions{
		ContentType: media, DisableMultipart: true,
	})
	return err
}

func (b *bucket) open(ctx context.Context, key string) (io.ReadCloser, error) {
	object, err := b.client.GetObject(ctx, b.bucket, b.prefix+key, minio.GetObjectOptions{})
	if err != nil {
		return nil, inBucket(err)
	}
	if _, err := object.Stat(); err != nil { // sends the request
		_ = object.Close()
		return nil, inBucket(err)
	}
	return object, nil
}

func (b *bucket) size(ctx context.Context, key string) (int64, error) {
	info, err := b.client.StatObject(ctx, b.bucket, b.prefix+key, minio.StatObjectOptions{})
	return info.Size, inBucket(err)
}

func (b *bucket) remove(ctx context.Context, key string) error {
	err := inBucket(b.client.RemoveObject(ctx, b.bucket, b.prefix+key, minio.RemoveObjectOptions{}))
	if !errors.Is(err, ErrMissing) {
		return err
	}
	return nil
}

// inBucket returns ErrMissing for an error that means that there is no such file, and other errors unchanged.
func inBucket(err error) error {
	if code := minio.ToErrorResponse(err).Code; err != nil && (code == minio.NoSuchKey || code == "NotFound") {
		return ErrMissing
	}
	return err
}

func (b *bucket) keptBefore(ctx context.Context, at time.Time, visit func([]string) error) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var keys []string
	for object := range b.client.ListObjects(ctx, b.bucket, minio.ListObjectsOptions{Prefix: b.prefix, Recursive: true}) {
		if object.Err != nil {
			return object.Err
		}
		key := strings.TrimPrefix(object.Key, b.prefix)
		if !object.LastModified.Before(at) || !keyForm.MatchString(key) {
			continue
		}
		if keys = append(keys, key); len(keys) == batch {
			if err := visit(keys); err != nil {
				return err
			}
			keys = nil
		}
	}
	if len(keys) == 0 {
		return nil
	}
	return visit(keys)
}

from django.db import models
from django.urls import reverse


class Exhibit(models.Model):
    title = models.CharField(max_length=255)
    slug = models.SlugField(unique=True)
    description = models.TextField(blank=True)
    curator = models.ForeignKey("Curator", on_delete=models.CASCADE, related_name="exhibits")
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["-created_at"]
        verbose_name_plural = "exhibits"

    def __str__(self):
        return self.title

    def get_absolute_url(self):
        return reverse("exhibit-detail", kwargs={"slug": self.slug})

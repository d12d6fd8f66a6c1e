from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('recommendations', '0005_model_card'),
    ]

    operations = [
        migrations.AddField(
            model_name='recommendationrun',
            name='are_words_settled',
            field=models.BooleanField(default=False, help_text='Every page was ranked and each anchor text has its one target.'),
        ),
    ]
